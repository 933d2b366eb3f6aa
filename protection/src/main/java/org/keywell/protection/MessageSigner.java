package org.keywell.protection;

/** Signs messages, by a key at hand or by one that is certified only afterwards. */
public interface MessageSigner {

  /**
   * Signs by SHA-512.
   *
   * @param attributes what is signed, not yet hashed
   * @throws IllegalStateException if it cannot sign now
   */
  MessageSignature sign(byte[] attributes);
}
