package org.keywell.ca.issuance;

import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The issuing CA's private key and its certificates.
 *
 * @param provider the only one that signs with the key; used by several threads at once
 * @param chain the issuing CA's certificate first, the self-signed root last
 */
public record IssuingKey(PrivateKey privateKey, Provider provider, List<X509Certificate> chain) {

  /**
   * @throws IllegalArgumentException if the chain is empty
   */
  public IssuingKey {
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("an issuing key needs its certificates");
    }
    chain = List.copyOf(chain);
  }

  /** Returns the issuing CA's own certificate. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }
}
