package org.keywell.protection;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A signature over a message's attributes.
 *
 * @param value RFC 8017 octets, or a DER {@code Ecdsa-Sig-Value}
 * @param chain leaf first, at least one; those that the recipient has need not be here
 */
public record MessageSignature(SignatureScheme scheme, byte[] value, List<X509Certificate> chain) {

  /**
   * Copies the chain.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public MessageSignature {
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("a signature needs its certificate");
    }
    chain = List.copyOf(chain);
  }
}
