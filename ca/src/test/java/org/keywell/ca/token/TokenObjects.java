package org.keywell.ca.token;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** Looks at objects in the token itself, beside SunPKCS11 in one process. */
final class TokenObjects {
  static final long CKA_TOKEN = 0x01;
  static final long CKA_PRIVATE = 0x02;
  static final long CKA_SENSITIVE = 0x103;
  static final long CKA_DECRYPT = 0x105;
  static final long CKA_UNWRAP = 0x107;
  static final long CKA_SIGN = 0x108;
  static final long CKA_SIGN_RECOVER = 0x109;
  static final long CKA_EXTRACTABLE = 0x162;

  private static final long CKA_CLASS = 0;
  private static final long CKA_LABEL = 3;
  private static final long CKO_PRIVATE_KEY = 3;
  private static final int ATTRIBUTE_BYTES = 24;
  private static final long CKO_CERTIFICATE = 1;
  private static final long SERIAL_SESSION_THAT_WRITES = 6;

  // Places in CK_FUNCTION_LIST (PKCS#11 v2.40, section 3.6), after its version.
  private static final int OPEN_SESSION = 12;
  private static final int DESTROY_OBJECT = 22;
  private static final int GET_ATTRIBUTE_VALUE = 24;
  private static final int FIND_OBJECTS_INIT = 26;
  private static final int FIND_OBJECTS = 27;
  private static final int FIND_OBJECTS_FINAL = 28;

  private final MemorySegment functions;
  private final long session;

  TokenObjects(TokenAddress address) {
    SymbolLookup module = SymbolLookup.libraryLookup(address.module(), Arena.global());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment list = arena.allocate(ADDRESS);
      call(module.findOrThrow("C_GetFunctionList"), list);
      functions = list.get(ADDRESS, 0).reinterpret(8 * 70);
      MemorySegment handle = arena.allocate(JAVA_LONG);
      MemorySegment none = MemorySegment.NULL;
      call(
          function(OPEN_SESSION), address.slotId(), SERIAL_SESSION_THAT_WRITES, none, none, handle);
      session = handle.get(JAVA_LONG, 0);
    }
  }

  /**
   * The handle of the token object that is a private key with the label; fails if there is none. It
   * does not look at session objects: the one that the token object was copied from goes when it is
   * collected, at any time.
   */
  long privateKey(String label) {
    return find(CKO_PRIVATE_KEY, label);
  }

  /** Destroys the certificate with the label; fails if there is none. */
  void destroyCertificate(String label) {
    call(function(DESTROY_OBJECT), session, find(CKO_CERTIFICATE, label));
  }

  private long find(long ofClass, String label) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment template = arena.allocate(3L * ATTRIBUTE_BYTES, 8);
      MemorySegment objectClass = arena.allocateFrom(JAVA_LONG, ofClass);
      MemorySegment text = arena.allocateFrom(JAVA_BYTE, label.getBytes(StandardCharsets.US_ASCII));
      attribute(template, 0, CKA_CLASS, objectClass);
      attribute(template, 1, CKA_LABEL, text);
      attribute(template, 2, CKA_TOKEN, arena.allocateFrom(JAVA_BYTE, (byte) 1));
      call(function(FIND_OBJECTS_INIT), session, template, 3L);
      MemorySegment handle = arena.allocate(JAVA_LONG);
      MemorySegment count = arena.allocate(JAVA_LONG);
      call(function(FIND_OBJECTS), session, handle, 1L, count);
      call(function(FIND_OBJECTS_FINAL), session);
      if (count.get(JAVA_LONG, 0) == 0) {
        throw new AssertionError("no object " + label);
      }
      return handle.get(JAVA_LONG, 0);
    }
  }

  boolean flag(long object, long type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment template = arena.allocate(ATTRIBUTE_BYTES, 8);
      MemorySegment value = arena.allocate(1);
      attribute(template, 0, type, value);
      call(function(GET_ATTRIBUTE_VALUE), session, object, template, 1L);
      return value.get(JAVA_BYTE, 0) != 0;
    }
  }

  private static void attribute(MemorySegment template, int at, long type, MemorySegment value) {
    long offset = (long) at * ATTRIBUTE_BYTES;
    template.set(JAVA_LONG, offset, type);
    template.set(ADDRESS, offset + 8, value);
    template.set(JAVA_LONG, offset + 16, value.byteSize());
  }

  private MemorySegment function(int index) {
    return functions.get(ADDRESS, 8L * (index + 1));
  }

  private static void call(MemorySegment function, Object... arguments) {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] = arguments[i] instanceof Long ? JAVA_LONG : ADDRESS;
    }
    MethodHandle handle =
        Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(JAVA_LONG, layouts));
    try {
      long result = (long) handle.invokeWithArguments(arguments);
      if (result != 0) {
        throw new AssertionError("PKCS#11 returned 0x" + Long.toHexString(result));
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
