package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.MemorySegment;

/**
 * The functions of a {@code CK_FUNCTION_LIST} that are in use, as PKCS#11 declares them. They
 * return an unchecked {@code CK_RV}. Thread-safe; a session is not: two threads must not use one at
 * the same time.
 *
 * <p>{@link Calls} records a call before it starts (Java evaluates arguments from left to right)
 * and after it returns.
 */
final class Functions {
  private final MemorySegment list;
  private final Calls calls;
  private final MemorySegment initialize;
  private final MemorySegment finalizeModule;
  private final MemorySegment getInfo;
  private final MemorySegment getSlotList;
  private final MemorySegment getTokenInfo;
  private final MemorySegment getMechanismInfo;
  private final MemorySegment initToken;
  private final MemorySegment initPin;
  private final MemorySegment openSession;
  private final MemorySegment closeSession;
  private final MemorySegment getSessionInfo;
  private final MemorySegment login;
  private final MemorySegment createObject;
  private final MemorySegment copyObject;
  private final MemorySegment destroyObject;
  private final MemorySegment getAttributeValue;
  private final MemorySegment findObjectsInit;
  private final MemorySegment findObjects;
  private final MemorySegment findObjectsFinal;
  private final MemorySegment encryptInit;
  private final MemorySegment encrypt;
  private final MemorySegment decryptInit;
  private final MemorySegment decrypt;
  private final MemorySegment signInit;
  private final MemorySegment sign;
  private final MemorySegment generateKey;
  private final MemorySegment generateKeyPair;
  private final MemorySegment wrapKey;
  private final MemorySegment unwrapKey;
  private final MemorySegment generateRandom;

  /** As {@link #Functions(MemorySegment, Calls)}, without a listener. */
  Functions(MemorySegment list) {
    this(list, new Calls(Pkcs11Config.MAX_SESSIONS + 1, CallLimits.DEFAULT, CallListener.NONE));
  }

  /**
   * @param list the {@code CK_FUNCTION_LIST}, at least as long as in version 2
   */
  Functions(MemorySegment list, Calls calls) {
    this.list = list;
    this.calls = calls;
    initialize = function(list, CkFunction.C_INITIALIZE);
    finalizeModule = function(list, CkFunction.C_FINALIZE);
    getInfo = function(list, CkFunction.C_GET_INFO);
    getSlotList = function(list, CkFunction.C_GET_SLOT_LIST);
    getTokenInfo = function(list, CkFunction.C_GET_TOKEN_INFO);
    getMechanismInfo = function(list, CkFunction.C_GET_MECHANISM_INFO);
    initToken = function(list, CkFunction.C_INIT_TOKEN);
    initPin = function(list, CkFunction.C_INIT_PIN);
    openSession = function(list, CkFunction.C_OPEN_SESSION);
    closeSession = function(list, CkFunction.C_CLOSE_SESSION);
    getSessionInfo = function(list, CkFunction.C_GET_SESSION_INFO);
    login = function(list, CkFunction.C_LOGIN);
    createObject = function(list, CkFunction.C_CREATE_OBJECT);
    copyObject = function(list, CkFunction.C_COPY_OBJECT);
    destroyObject = function(list, CkFunction.C_DESTROY_OBJECT);
    getAttributeValue = function(list, CkFunction.C_GET_ATTRIBUTE_VALUE);
    findObjectsInit = function(list, CkFunction.C_FIND_OBJECTS_INIT);
    findObjects = function(list, CkFunction.C_FIND_OBJECTS);
    findObjectsFinal = function(list, CkFunction.C_FIND_OBJECTS_FINAL);
    encryptInit = function(list, CkFunction.C_ENCRYPT_INIT);
    encrypt = function(list, CkFunction.C_ENCRYPT);
    decryptInit = function(list, CkFunction.C_DECRYPT_INIT);
    decrypt = function(list, CkFunction.C_DECRYPT);
    signInit = function(list, CkFunction.C_SIGN_INIT);
    sign = function(list, CkFunction.C_SIGN);
    generateKey = function(list, CkFunction.C_GENERATE_KEY);
    generateKeyPair = function(list, CkFunction.C_GENERATE_KEY_PAIR);
    wrapKey = function(list, CkFunction.C_WRAP_KEY);
    unwrapKey = function(list, CkFunction.C_UNWRAP_KEY);
    generateRandom = function(list, CkFunction.C_GENERATE_RANDOM);
  }

  /** Returns the same functions, reporting their calls to another. */
  Functions with(Calls others) {
    return new Functions(list, others);
  }

  private static MemorySegment function(MemorySegment list, CkFunction index) {
    return list.get(ADDRESS, index.offset());
  }

  long initialize(MemorySegment arguments) {
    return calls.ended(calls.begins(CkFunction.C_INITIALIZE), Downcall.call(initialize, arguments));
  }

  /** Must not overlap with any other call: PKCS#11 leaves open what happens then. */
  long finalizeModule() {
    return calls.ended(
        calls.begins(CkFunction.C_FINALIZE), Downcall.call(finalizeModule, MemorySegment.NULL));
  }

  long getInfo(MemorySegment info) {
    return calls.ended(calls.begins(CkFunction.C_GET_INFO), Downcall.call(getInfo, info));
  }

  long getSlotList(boolean tokenPresent, MemorySegment slots, MemorySegment count) {
    return calls.ended(
        calls.begins(CkFunction.C_GET_SLOT_LIST),
        Downcall.call(getSlotList, (byte) (tokenPresent ? 1 : 0), slots, count));
  }

  long getTokenInfo(long slot, MemorySegment info) {
    return calls.ended(
        calls.begins(CkFunction.C_GET_TOKEN_INFO), Downcall.call(getTokenInfo, slot, info));
  }

  long getMechanismInfo(long slot, long mechanism, MemorySegment info) {
    return calls.ended(
        calls.begins(CkFunction.C_GET_MECHANISM_INFO),
        Downcall.call(getMechanismInfo, slot, mechanism, info));
  }

  long initToken(long slot, MemorySegment soPin, long soPinLength, MemorySegment label) {
    return calls.ended(
        calls.begins(CkFunction.C_INIT_TOKEN),
        Downcall.call(initToken, slot, soPin, soPinLength, label));
  }

  long initPin(long session, MemorySegment pin, long pinLength) {
    return calls.ended(
        calls.begins(CkFunction.C_INIT_PIN), Downcall.call(initPin, session, pin, pinLength));
  }

  long openSession(long slot, long flags, MemorySegment session) {
    return calls.ended(
        calls.begins(CkFunction.C_OPEN_SESSION),
        Downcall.call(openSession, slot, flags, MemorySegment.NULL, MemorySegment.NULL, session));
  }

  long closeSession(long session) {
    return calls.ended(
        calls.begins(CkFunction.C_CLOSE_SESSION), Downcall.call(closeSession, session));
  }

  long getSessionInfo(long session, MemorySegment info) {
    return calls.ended(
        calls.begins(CkFunction.C_GET_SESSION_INFO), Downcall.call(getSessionInfo, session, info));
  }

  long login(long session, long userType, MemorySegment pin, long pinLength) {
    return calls.ended(
        calls.begins(CkFunction.C_LOGIN), Downcall.call(login, session, userType, pin, pinLength));
  }

  long createObject(long session, Template template, MemorySegment object) {
    return calls.ended(
        calls.begins(CkFunction.C_CREATE_OBJECT),
        Downcall.call(createObject, session, template.attributes(), template.count(), object));
  }

  long copyObject(long session, long object, Template template, MemorySegment copy) {
    return calls.ended(
        calls.begins(CkFunction.C_COPY_OBJECT),
        Downcall.call(copyObject, session, object, template.attributes(), template.count(), copy));
  }

  long destroyObject(long session, long object) {
    return calls.ended(
        calls.begins(CkFunction.C_DESTROY_OBJECT), Downcall.call(destroyObject, session, object));
  }

  long getAttributeValue(long session, long object, MemorySegment template, long count) {
    return calls.ended(
        calls.begins(CkFunction.C_GET_ATTRIBUTE_VALUE),
        Downcall.call(getAttributeValue, session, object, template, count));
  }

  long findObjectsInit(long session, Template template) {
    return calls.ended(
        calls.begins(CkFunction.C_FIND_OBJECTS_INIT),
        Downcall.call(findObjectsInit, session, template.attributes(), template.count()));
  }

  long findObjects(long session, MemorySegment objects, long maximum, MemorySegment count) {
    return calls.ended(
        calls.begins(CkFunction.C_FIND_OBJECTS),
        Downcall.call(findObjects, session, objects, maximum, count));
  }

  long findObjectsFinal(long session) {
    return calls.ended(
        calls.begins(CkFunction.C_FIND_OBJECTS_FINAL), Downcall.call(findObjectsFinal, session));
  }

  /** Encrypts or decrypts: {@code C_EncryptInit}, or {@code C_DecryptInit}. */
  long cipherInit(boolean encrypts, long session, MemorySegment mechanism, long key) {
    return calls.ended(
        calls.begins(encrypts ? CkFunction.C_ENCRYPT_INIT : CkFunction.C_DECRYPT_INIT),
        Downcall.call(encrypts ? encryptInit : decryptInit, session, mechanism, key));
  }

  /** Encrypts or decrypts: {@code C_Encrypt}, or {@code C_Decrypt}. */
  long cipher(
      boolean encrypts,
      long session,
      MemorySegment in,
      long length,
      MemorySegment out,
      MemorySegment outLength) {
    return calls.ended(
        calls.begins(encrypts ? CkFunction.C_ENCRYPT : CkFunction.C_DECRYPT),
        Downcall.call(encrypts ? encrypt : decrypt, session, in, length, out, outLength));
  }

  long generateRandom(long session, MemorySegment random, long length) {
    return calls.ended(
        calls.begins(CkFunction.C_GENERATE_RANDOM),
        Downcall.call(generateRandom, session, random, length));
  }

  long signInit(long session, MemorySegment mechanism, long key) {
    return calls.ended(
        calls.begins(CkFunction.C_SIGN_INIT), Downcall.call(signInit, session, mechanism, key));
  }

  long sign(
      long session,
      MemorySegment data,
      long dataLength,
      MemorySegment signature,
      MemorySegment signatureLength) {
    return calls.ended(
        calls.begins(CkFunction.C_SIGN),
        Downcall.call(sign, session, data, dataLength, signature, signatureLength));
  }

  long generateKey(long session, MemorySegment mechanism, Template template, MemorySegment key) {
    return calls.ended(
        calls.begins(CkFunction.C_GENERATE_KEY),
        Downcall.call(
            generateKey, session, mechanism, template.attributes(), template.count(), key));
  }

  long generateKeyPair(
      long session,
      MemorySegment mechanism,
      Template publicTemplate,
      Template privateTemplate,
      MemorySegment publicKey,
      MemorySegment privateKey) {
    return calls.ended(
        calls.begins(CkFunction.C_GENERATE_KEY_PAIR),
        Downcall.call(
            generateKeyPair,
            session,
            mechanism,
            publicTemplate.attributes(),
            publicTemplate.count(),
            privateTemplate.attributes(),
            privateTemplate.count(),
            publicKey,
            privateKey));
  }

  long wrapKey(
      long session,
      MemorySegment mechanism,
      long wrappingKey,
      long key,
      MemorySegment wrapped,
      MemorySegment wrappedLength) {
    return calls.ended(
        calls.begins(CkFunction.C_WRAP_KEY),
        Downcall.call(wrapKey, session, mechanism, wrappingKey, key, wrapped, wrappedLength));
  }

  long unwrapKey(
      long session,
      MemorySegment mechanism,
      long unwrappingKey,
      MemorySegment wrapped,
      long wrappedLength,
      Template template,
      MemorySegment key) {
    return calls.ended(
        calls.begins(CkFunction.C_UNWRAP_KEY),
        Downcall.call(
            unwrapKey,
            session,
            mechanism,
            unwrappingKey,
            wrapped,
            wrappedLength,
            template.attributes(),
            template.count(),
            key));
  }
}
