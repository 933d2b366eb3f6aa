package org.keywell.tlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Time-stamped Ed25519 cosignatures of checkpoints (C2SP tlog-cosignature, version 1). */
public final class Cosignatures {

  private Cosignatures() {}

  /**
   * Returns what a witness signs.
   *
   * @param seconds since 1970, when it saw the checkpoint
   * @param checkpoint the text of its note
   */
  public static byte[] message(long seconds, String checkpoint) {
    return ("cosignature/v1\ntime " + seconds + "\n" + checkpoint).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the signature line's bytes for a signature of {@link #message}. */
  public static byte[] bytes(long seconds, byte[] signature) {
    return ByteBuffer.allocate(Long.BYTES + signature.length)
        .putLong(seconds)
        .put(signature)
        .array();
  }
}
