package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.MemorySegment;

/**
 * The functions of a {@code CK_FUNCTION_LIST} that are in use, each as PKCS#11 declares it: what
 * they return is a {@code CK_RV}, unchecked. Thread-safe; a session is not: two threads must not
 * use one at the same time.
 */
final class Functions {
  private final MemorySegment initialize;
  private final MemorySegment getInfo;
  private final MemorySegment getSlotList;
  private final MemorySegment getTokenInfo;
  private final MemorySegment initToken;
  private final MemorySegment initPin;
  private final MemorySegment openSession;
  private final MemorySegment closeSession;
  private final MemorySegment login;
  private final MemorySegment destroyObject;
  private final MemorySegment getAttributeValue;
  private final MemorySegment findObjectsInit;
  private final MemorySegment findObjects;
  private final MemorySegment findObjectsFinal;
  private final MemorySegment signInit;
  private final MemorySegment sign;
  private final MemorySegment generateKey;
  private final MemorySegment generateKeyPair;
  private final MemorySegment wrapKey;
  private final MemorySegment unwrapKey;

  /**
   * @param list the {@code CK_FUNCTION_LIST}, of at least the size that version 2 has
   */
  Functions(MemorySegment list) {
    initialize = function(list, FunctionIndex.C_INITIALIZE);
    getInfo = function(list, FunctionIndex.C_GET_INFO);
    getSlotList = function(list, FunctionIndex.C_GET_SLOT_LIST);
    getTokenInfo = function(list, FunctionIndex.C_GET_TOKEN_INFO);
    initToken = function(list, FunctionIndex.C_INIT_TOKEN);
    initPin = function(list, FunctionIndex.C_INIT_PIN);
    openSession = function(list, FunctionIndex.C_OPEN_SESSION);
    closeSession = function(list, FunctionIndex.C_CLOSE_SESSION);
    login = function(list, FunctionIndex.C_LOGIN);
    destroyObject = function(list, FunctionIndex.C_DESTROY_OBJECT);
    getAttributeValue = function(list, FunctionIndex.C_GET_ATTRIBUTE_VALUE);
    findObjectsInit = function(list, FunctionIndex.C_FIND_OBJECTS_INIT);
    findObjects = function(list, FunctionIndex.C_FIND_OBJECTS);
    findObjectsFinal = function(list, FunctionIndex.C_FIND_OBJECTS_FINAL);
    signInit = function(list, FunctionIndex.C_SIGN_INIT);
    sign = function(list, FunctionIndex.C_SIGN);
    generateKey = function(list, FunctionIndex.C_GENERATE_KEY);
    generateKeyPair = function(list, FunctionIndex.C_GENERATE_KEY_PAIR);
    wrapKey = function(list, FunctionIndex.C_WRAP_KEY);
    unwrapKey = function(list, FunctionIndex.C_UNWRAP_KEY);
  }

  private static MemorySegment function(MemorySegment list, FunctionIndex index) {
    return list.get(ADDRESS, index.offset());
  }

  long initialize(MemorySegment arguments) {
    return Downcall.call(initialize, arguments);
  }

  long getInfo(MemorySegment info) {
    return Downcall.call(getInfo, info);
  }

  long getSlotList(boolean tokenPresent, MemorySegment slots, MemorySegment count) {
    return Downcall.call(getSlotList, (byte) (tokenPresent ? 1 : 0), slots, count);
  }

  long getTokenInfo(long slot, MemorySegment info) {
    return Downcall.call(getTokenInfo, slot, info);
  }

  long initToken(long slot, MemorySegment soPin, long soPinLength, MemorySegment label) {
    return Downcall.call(initToken, slot, soPin, soPinLength, label);
  }

  long initPin(long session, MemorySegment pin, long pinLength) {
    return Downcall.call(initPin, session, pin, pinLength);
  }

  long openSession(long slot, long flags, MemorySegment session) {
    return Downcall.call(openSession, slot, flags, MemorySegment.NULL, MemorySegment.NULL, session);
  }

  long closeSession(long session) {
    return Downcall.call(closeSession, session);
  }

  long login(long session, long userType, MemorySegment pin, long pinLength) {
    return Downcall.call(login, session, userType, pin, pinLength);
  }

  long destroyObject(long session, long object) {
    return Downcall.call(destroyObject, session, object);
  }

  long getAttributeValue(long session, long object, MemorySegment template, long count) {
    return Downcall.call(getAttributeValue, session, object, template, count);
  }

  long findObjectsInit(long session, Template template) {
    return Downcall.call(findObjectsInit, session, template.attributes(), template.count());
  }

  long findObjects(long session, MemorySegment objects, long maximum, MemorySegment count) {
    return Downcall.call(findObjects, session, objects, maximum, count);
  }

  long findObjectsFinal(long session) {
    return Downcall.call(findObjectsFinal, session);
  }

  long signInit(long session, MemorySegment mechanism, long key) {
    return Downcall.call(signInit, session, mechanism, key);
  }

  long sign(
      long session,
      MemorySegment data,
      long dataLength,
      MemorySegment signature,
      MemorySegment signatureLength) {
    return Downcall.call(sign, session, data, dataLength, signature, signatureLength);
  }

  long generateKey(long session, MemorySegment mechanism, Template template, MemorySegment key) {
    return Downcall.call(
        generateKey, session, mechanism, template.attributes(), template.count(), key);
  }

  long generateKeyPair(
      long session,
      MemorySegment mechanism,
      Template publicTemplate,
      Template privateTemplate,
      MemorySegment publicKey,
      MemorySegment privateKey) {
    return Downcall.call(
        generateKeyPair,
        session,
        mechanism,
        publicTemplate.attributes(),
        publicTemplate.count(),
        privateTemplate.attributes(),
        privateTemplate.count(),
        publicKey,
        privateKey);
  }

  long wrapKey(
      long session,
      MemorySegment mechanism,
      long wrappingKey,
      long key,
      MemorySegment wrapped,
      MemorySegment wrappedLength) {
    return Downcall.call(wrapKey, session, mechanism, wrappingKey, key, wrapped, wrappedLength);
  }

  long unwrapKey(
      long session,
      MemorySegment mechanism,
      long unwrappingKey,
      MemorySegment wrapped,
      long wrappedLength,
      Template template,
      MemorySegment key) {
    return Downcall.call(
        unwrapKey,
        session,
        mechanism,
        unwrappingKey,
        wrapped,
        wrappedLength,
        template.attributes(),
        template.count(),
        key);
  }
}
