package org.keywell.ca.issuance;

import java.util.Arrays;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.digests.SHA256Digest;

/** Key identifiers by method 1 of RFC 7093, section 2. */
public final class KeyIdentifiers {
  private static final int LENGTH_BYTES = 20;

  private KeyIdentifiers() {}

  /** Returns the leftmost 160 bits of the SHA-256 hash of the subjectPublicKey's value. */
  public static byte[] of(SubjectPublicKeyInfo key) {
    byte[] bits = key.getPublicKeyData().getBytes();
    SHA256Digest digest = new SHA256Digest();
    digest.update(bits, 0, bits.length);
    byte[] hash = new byte[digest.getDigestSize()];
    digest.doFinal(hash, 0);
    return Arrays.copyOf(hash, LENGTH_BYTES);
  }
}
