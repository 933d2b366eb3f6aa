package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * Encrypts and decrypts in a session with an AES key that is in the token.
 *
 * @param session used during calls
 * @param key handle of the key
 */
record Cipher(Session session, Brand brand, long key) {
  /** Whole blocks, which all modes take. */
  private static final byte[] KNOWN = new byte[2 * CipherCall.BLOCK_BYTES];

  /**
   * As {@link #run}, with a result that the opposite direction turns into the data again: all modes
   * do so, and a tag has to come out the same. Data is refused with {@link Reason#DATA_INVALID}
   * only by a device that encrypts and decrypts something else under the same key.
   */
  byte[] runProved(boolean encrypts, CipherCall call, byte[] data, ResultProofs proofs) {
    byte[] result;
    try {
      result = run(encrypts, call, data);
    } catch (HsmException e) {
      if (e.reason() == Reason.DATA_INVALID) {
        CkFunction function = encrypts ? CkFunction.C_ENCRYPT : CkFunction.C_DECRYPT;
        proofs.require(function, returns(call, KNOWN, run(true, call, KNOWN), false));
      }
      throw e;
    }
    proofs.require(
        encrypts ? CkFunction.C_ENCRYPT : CkFunction.C_DECRYPT,
        returns(call, data, result, !encrypts));
    return result;
  }

  private boolean returns(CipherCall call, byte[] expected, byte[] data, boolean encrypts) {
    try {
      return Arrays.equals(expected, run(encrypts, call, data));
    } catch (HsmException e) {
      if (e.reason() == Reason.DATA_INVALID) {
        return false;
      }
      throw e;
    }
  }

  byte[] run(boolean encrypts, CipherCall call, byte[] data) {
    Functions functions = session.functions();
    try (Arena arena = Arena.ofConfined()) {
      session.began(
          encrypts ? "C_EncryptInit" : "C_DecryptInit",
          functions.cipherInit(encrypts, session.handle(), Mechanisms.cipher(arena, call), key));
      // Room for a block of padding and a tag: with too little, the operation would go on.
      long room = data.length + 2L * CipherCall.BLOCK_BYTES;
      MemorySegment out = arena.allocate(room, 8);
      MemorySegment length = arena.allocateFrom(JAVA_LONG, room);
      long returned =
          session.ended(
              functions.cipher(
                  encrypts, session.handle(), copy(arena, data), data.length, out, length));
      if (returned != 0) {
        HsmException failure =
            encrypts
                ? ReturnValue.dataException("C_Encrypt", returned)
                : brand.decryptException("C_Decrypt", returned);
        if (failure.reason() == Reason.DATA_INVALID) {
          // Clients must not be able to have sessions closed.
          session.dataRefused();
        }
        throw failure;
      }
      return out.asSlice(0, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    }
  }

  /** Never NULL, which modules refuse, or take for a question about the length. */
  static MemorySegment copy(Arena arena, byte[] data) {
    MemorySegment copy = arena.allocate(Math.max(1, data.length), 8);
    MemorySegment.copy(data, 0, copy, JAVA_BYTE, 0, data.length);
    return copy;
  }
}
