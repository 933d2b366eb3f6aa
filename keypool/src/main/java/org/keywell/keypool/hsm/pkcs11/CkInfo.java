package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads {@code CK_INFO}, which names a module's maker. */
final class CkInfo {
  private static final long BYTES = 88;
  private static final long MANUFACTURER_ID = 2;

  private CkInfo() {}

  static Brand brand(Functions functions) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(BYTES, 8);
      ReturnValue.check("C_GetInfo", functions.getInfo(info));
      return Brand.of(PaddedText.read(info, MANUFACTURER_ID, 32));
    }
  }
}
