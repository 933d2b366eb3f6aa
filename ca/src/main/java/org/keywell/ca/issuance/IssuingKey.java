package org.keywell.ca.issuance;

import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The issuing CA's private key, as accessed through each provider, and its certificates.
 *
 * @param accesses at least one; no other provider is used to sign
 * @param chain the issuing CA's certificate first, the self-signed root last
 */
public record IssuingKey(List<Access> accesses, List<X509Certificate> chain) {

  /**
   * The key as accessed through one provider.
   *
   * @param provider for a key in an HSM, the one that owns {@code privateKey}
   */
  public record Access(PrivateKey privateKey, Provider provider) {}

  /**
   * @throws IllegalArgumentException if there is no access or the chain is empty
   */
  public IssuingKey {
    if (accesses.isEmpty() || chain.isEmpty()) {
      throw new IllegalArgumentException("an issuing key needs an access, and its certificates");
    }
    accesses = List.copyOf(accesses);
    chain = List.copyOf(chain);
  }

  /** Creates an issuing key with a single provider. */
  public IssuingKey(PrivateKey privateKey, Provider provider, List<X509Certificate> chain) {
    this(List.of(new Access(privateKey, provider)), chain);
  }

  /** Returns the issuing CA's own certificate. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }
}
