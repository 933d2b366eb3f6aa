package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A module whose function list leads through this class, to count calls and to spoil them. */
final class InterposedModule {
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment real;
  private final MemorySegment list;
  private final CryptokiLibrary library;
  private final AtomicInteger logins = new AtomicInteger();
  private final AtomicInteger finalized = new AtomicInteger();
  private final List<Long> opened = new CopyOnWriteArrayList<>();
  private volatile Runnable beforeGetAttributeValue = () -> {};
  private volatile long getTokenInfoReturns;
  private volatile long getAttributeValueReturns;
  private volatile long destroyObjectReturns;
  private volatile long wrapKeyReturns;

  InterposedModule(Pkcs11Config config) {
    try {
      CryptokiLibrary.load(config.module(), config.initializeParameters());
      real = CryptokiLibrary.functionList(config.module(), config.module().toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    list = arena.allocate(CkFunction.LIST_BYTES, 8).copyFrom(real);
    put(CkFunction.C_LOGIN, "login", JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    put(CkFunction.C_GET_TOKEN_INFO, "getTokenInfo", JAVA_LONG, ADDRESS);
    put(CkFunction.C_DESTROY_OBJECT, "destroyObject", JAVA_LONG, JAVA_LONG);
    put(
        CkFunction.C_WRAP_KEY,
        "wrapKey",
        JAVA_LONG,
        ADDRESS,
        JAVA_LONG,
        JAVA_LONG,
        ADDRESS,
        ADDRESS);
    put(
        CkFunction.C_GET_ATTRIBUTE_VALUE,
        "getAttributeValue",
        JAVA_LONG,
        JAVA_LONG,
        ADDRESS,
        JAVA_LONG);
    put(CkFunction.C_OPEN_SESSION, "openSession", JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);
    put(CkFunction.C_FINALIZE, "finalizeModule", ADDRESS);
    library = CryptokiLibrary.of(new Functions(list));
  }

  private void put(CkFunction index, String method, MemoryLayout... arguments) {
    FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_LONG, arguments);
    try {
      MethodType type = descriptor.toMethodType();
      list.set(
          ADDRESS,
          index.offset(),
          Linker.nativeLinker()
              .upcallStub(MethodHandles.lookup().bind(this, method, type), descriptor, arena));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no such method: " + method, e);
    }
  }

  private MemorySegment real(CkFunction index) {
    return real.get(ADDRESS, index.offset());
  }

  CryptokiLibrary library() {
    return library;
  }

  /** Calls C_Logout, which Keywell itself does not: it counts for all sessions with the token. */
  long logout(long session) {
    long afterLogin = CkFunction.C_LOGIN.offset() + ADDRESS.byteSize();
    return Downcall.call(real.get(ADDRESS, afterLogin), session);
  }

  /** Closes all sessions of this process with the token, as a device does that goes away. */
  long closeAllSessions(long slotId) {
    long afterClose = CkFunction.C_CLOSE_SESSION.offset() + ADDRESS.byteSize();
    return Downcall.call(real.get(ADDRESS, afterClose), slotId);
  }

  /** Closes a session that its user believes to be open. */
  long closeSession(long session) {
    return Downcall.call(real(CkFunction.C_CLOSE_SESSION), session);
  }

  /** The sessions that were opened so far, in their order. */
  List<Long> opened() {
    return opened;
  }

  /** How many times C_Finalize was called. */
  int finalized() {
    return finalized.get();
  }

  /** How many times C_Login was called. */
  int logins() {
    return logins.get();
  }

  /** Runs this at the beginning of each further call of C_GetAttributeValue; it must not throw. */
  void beforeGetAttributeValue(Runnable hook) {
    beforeGetAttributeValue = hook;
  }

  /** Makes C_GetTokenInfo return an error, or work again with 0. */
  void getTokenInfoReturns(long returnValue) {
    getTokenInfoReturns = returnValue;
  }

  /** Makes C_GetAttributeValue return an error, or work again with 0. */
  void getAttributeValueReturns(long returnValue) {
    getAttributeValueReturns = returnValue;
  }

  /** Makes C_DestroyObject return an error, or work again with 0. */
  void destroyObjectReturns(long returnValue) {
    destroyObjectReturns = returnValue;
  }

  /** Makes C_WrapKey return an error, or work again with 0. */
  void wrapKeyReturns(long returnValue) {
    wrapKeyReturns = returnValue;
  }

  @SuppressWarnings("unused") // called from native code
  long openSession(
      long slotId,
      long flags,
      MemorySegment application,
      MemorySegment notify,
      MemorySegment session) {
    long returned =
        Downcall.call(real(CkFunction.C_OPEN_SESSION), slotId, flags, application, notify, session);
    if (returned == 0) {
      opened.add(session.reinterpret(Long.BYTES).get(JAVA_LONG, 0));
    }
    return returned;
  }

  @SuppressWarnings("unused") // called from native code
  long finalizeModule(MemorySegment reserved) {
    finalized.incrementAndGet();
    return Downcall.call(real(CkFunction.C_FINALIZE), reserved);
  }

  @SuppressWarnings("unused") // called from native code
  long login(long session, long userType, MemorySegment pin, long length) {
    logins.incrementAndGet();
    return Downcall.call(real(CkFunction.C_LOGIN), session, userType, pin, length);
  }

  @SuppressWarnings("unused") // called from native code
  long getTokenInfo(long slotId, MemorySegment info) {
    return getTokenInfoReturns != 0
        ? getTokenInfoReturns
        : Downcall.call(real(CkFunction.C_GET_TOKEN_INFO), slotId, info);
  }

  @SuppressWarnings("unused") // called from native code
  long destroyObject(long session, long object) {
    return destroyObjectReturns != 0
        ? destroyObjectReturns
        : Downcall.call(real(CkFunction.C_DESTROY_OBJECT), session, object);
  }

  @SuppressWarnings("unused") // called from native code
  long wrapKey(
      long session,
      MemorySegment mechanism,
      long wrappingKey,
      long key,
      MemorySegment wrapped,
      MemorySegment length) {
    return wrapKeyReturns != 0
        ? wrapKeyReturns
        : Downcall.call(
            real(CkFunction.C_WRAP_KEY), session, mechanism, wrappingKey, key, wrapped, length);
  }

  @SuppressWarnings("unused") // called from native code
  long getAttributeValue(long session, long object, MemorySegment template, long count) {
    beforeGetAttributeValue.run();
    return getAttributeValueReturns != 0
        ? getAttributeValueReturns
        : Downcall.call(real(CkFunction.C_GET_ATTRIBUTE_VALUE), session, object, template, count);
  }
}
