package org.keywell.ca.issuance;

import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The issuing CA's private key, the provider that signs with it, and its certificates.
 *
 * @param provider the only provider that is asked to sign; for a key in an HSM, the one that owns
 *     it
 * @param chain the issuing CA's certificate first, the self-signed root last
 */
public record IssuingKey(PrivateKey privateKey, Provider provider, List<X509Certificate> chain) {

  /**
   * @throws IllegalArgumentException if the chain is empty
   */
  public IssuingKey {
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("an issuing key needs the chain of its certificates");
    }
    chain = List.copyOf(chain);
  }

  /** The issuing CA's own certificate. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }
}
