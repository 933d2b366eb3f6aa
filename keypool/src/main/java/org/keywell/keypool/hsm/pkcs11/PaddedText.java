package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Text in PKCS#11 structures: UTF-8 of a fixed length, padded with blanks, without a final NUL. */
final class PaddedText {
  private PaddedText() {}

  static String read(MemorySegment structure, long offset, long length) {
    byte[] bytes = structure.asSlice(offset, length).toArray(JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8).stripTrailing();
  }

  static MemorySegment allocate(Arena arena, String text, long length) {
    MemorySegment padded = arena.allocate(length).fill((byte) ' ');
    return padded.copyFrom(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
  }
}
