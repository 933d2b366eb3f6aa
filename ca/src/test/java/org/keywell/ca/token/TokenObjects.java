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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Looks at objects in the token itself, and makes others' objects in it. */
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
  private static final long CKA_VALUE = 0x11;
  private static final long CKA_CERTIFICATE_TYPE = 0x80;
  private static final long CKA_KEY_TYPE = 0x100;
  private static final long CKA_SUBJECT = 0x101;
  private static final long CKA_ID = 0x102;
  private static final long CKO_SECRET_KEY = 4;
  private static final long CKK_GENERIC_SECRET = 0x10;
  private static final long CKK_AES = 0x1F;
  private static final int ATTRIBUTE_BYTES = 24;
  private static final long CKO_CERTIFICATE = 1;
  private static final long SERIAL_SESSION_THAT_WRITES = 6;

  // Places in CK_FUNCTION_LIST (PKCS#11 v2.40, section 3.6), after its version.
  private static final int OPEN_SESSION = 12;
  private static final int CREATE_OBJECT = 20;
  private static final int DESTROY_OBJECT = 22;
  private static final int GET_ATTRIBUTE_VALUE = 24;
  private static final int FIND_OBJECTS_INIT = 26;
  private static final int FIND_OBJECTS = 27;
  private static final int FIND_OBJECTS_FINAL = 28;

  private final MemorySegment functions;
  private final long session;

  TokenObjects(Path modulePath, long slotId) {
    SymbolLookup module = SymbolLookup.libraryLookup(modulePath, Arena.global());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment list = arena.allocate(ADDRESS);
      call(module.findOrThrow("C_GetFunctionList"), list);
      functions = list.get(ADDRESS, 0).reinterpret(8 * 70);
      MemorySegment handle = arena.allocate(JAVA_LONG);
      MemorySegment none = MemorySegment.NULL;
      call(function(OPEN_SESSION), slotId, SERIAL_SESSION_THAT_WRITES, none, none, handle);
      session = handle.get(JAVA_LONG, 0);
    }
  }

  /**
   * The handle of the token object that is a private key with the label; fails if there is none. It
   * does not look at session objects.
   */
  long privateKey(String label) {
    return find(CKO_PRIVATE_KEY, label);
  }

  /** Makes an AES key of an application. */
  void createAesKey(String label) {
    Map<Long, byte[]> key = labelled(CKO_SECRET_KEY, label);
    key.put(CKA_KEY_TYPE, number(CKK_AES));
    key.put(CKA_VALUE, new byte[32]);
    create(key);
  }

  /** Makes a secret of an application, of which nobody knows what it is for. */
  void createGenericSecret(String label) {
    Map<Long, byte[]> key = labelled(CKO_SECRET_KEY, label);
    key.put(CKA_KEY_TYPE, number(CKK_GENERIC_SECRET));
    key.put(CKA_VALUE, new byte[20]);
    create(key);
  }

  /**
   * Makes a certificate object.
   *
   * @param id becomes {@code CKA_ID}
   */
  void createCertificate(String label, byte[] id, byte[] value) {
    Map<Long, byte[]> certificate = labelled(CKO_CERTIFICATE, label);
    certificate.put(CKA_CERTIFICATE_TYPE, number(0));
    certificate.put(CKA_SUBJECT, new byte[] {0x30, 0});
    certificate.put(CKA_ID, id);
    certificate.put(CKA_VALUE, value);
    create(certificate);
  }

  private static Map<Long, byte[]> labelled(long ofClass, String label) {
    Map<Long, byte[]> object = new LinkedHashMap<>();
    object.put(CKA_CLASS, number(ofClass));
    object.put(CKA_TOKEN, new byte[] {1});
    object.put(CKA_LABEL, label.getBytes(StandardCharsets.US_ASCII));
    return object;
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(value).array();
  }

  private void create(Map<Long, byte[]> object) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment template = arena.allocate((long) object.size() * ATTRIBUTE_BYTES, 8);
      int at = 0;
      for (Map.Entry<Long, byte[]> each : object.entrySet()) {
        attribute(template, at++, each.getKey(), arena.allocateFrom(JAVA_BYTE, each.getValue()));
      }
      MemorySegment handle = arena.allocate(JAVA_LONG);
      call(function(CREATE_OBJECT), session, template, (long) object.size(), handle);
    }
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
