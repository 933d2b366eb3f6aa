package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * Reads the attributes of one object.
 *
 * @param session used during calls
 * @param object handle of the object
 */
record ObjectAttributes(Session session, long object) {

  /** Returns the value; empty if the object has no such attribute or does not reveal it. */
  Optional<byte[]> read(Cka name) {
    return read(name, Session.BUFFER_BYTES);
  }

  private Optional<byte[]> read(Cka name, long capacity) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attribute = arena.allocate(Template.ATTRIBUTE_BYTES, 8);
      attribute.set(JAVA_LONG, 0, name.type());
      attribute.set(ADDRESS, 8, session.output());
      attribute.set(JAVA_LONG, 16, capacity);
      long returned = session.functions().getAttributeValue(session.handle(), object, attribute, 1);
      if (ReturnValue.CKR_ATTRIBUTE_TYPE_INVALID.is(returned)
          || ReturnValue.CKR_ATTRIBUTE_SENSITIVE.is(returned)) {
        return Optional.empty();
      }
      ReturnValue.check("C_GetAttributeValue", returned);
      long length = attribute.get(JAVA_LONG, 16);
      if (length == Ck.CK_UNAVAILABLE_INFORMATION) {
        return Optional.empty();
      }
      return Optional.of(session.output().asSlice(0, length).toArray(JAVA_BYTE));
    }
  }

  /** Whether the object has an array of attributes under this name, such as a template. */
  boolean hasArray(Cka name) {
    try (Arena arena = Arena.ofConfined()) {
      // Only the length: modules take a buffer's content for pointers to more buffers.
      MemorySegment attribute = arena.allocate(Template.ATTRIBUTE_BYTES, 8);
      attribute.set(JAVA_LONG, 0, name.type());
      long returned = session.functions().getAttributeValue(session.handle(), object, attribute, 1);
      long length = attribute.get(JAVA_LONG, 16);
      return returned == 0 && length > 0;
    }
  }

  /** Returns the value of an attribute that every object of this kind has. */
  byte[] require(Cka name) {
    return read(name)
        .orElseThrow(() -> new HsmException(Reason.FAILED, "the token does not reveal " + name));
  }

  Optional<Boolean> readBoolean(Cka name) {
    return read(name, 1).filter(value -> value.length == 1).map(value -> value[0] != 0);
  }

  Optional<Long> readLong(Cka name) {
    // Exactly this size: NSS refuses to put the numbers of token objects into a larger buffer.
    return read(name, Long.BYTES)
        .filter(value -> value.length == Long.BYTES)
        .map(value -> ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()).getLong());
  }
}
