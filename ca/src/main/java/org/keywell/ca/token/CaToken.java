package org.keywell.ca.token;

import java.security.Provider;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.keywell.ca.issuance.IssuingKey;

/**
 * The token that holds the CA's keys. Whatever else it holds is of no account. After {@code
 * C_Finalize} it must not be used: make another one and create another certificate authority from
 * it.
 */
public final class CaToken {
  private final TokenKeyStore store;

  /**
   * @param token provider of a token that the process is logged in to. It has the keys in a {@code
   *     KeyStore} of type {@code PKCS11}, with each certificate in the token as an entry, generates
   *     pairs for it, and signs with any number of threads
   */
  public CaToken(Provider token) {
    this.store = new TokenKeyStore(token);
  }

  /**
   * Returns the issuing CA's newest key that has a certificate, and its chain, validated as of now.
   * Rereads the token.
   *
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED}, {@code AWAITING_CHAIN}, {@code
   *     CHAIN_REFUSED}, {@code KEY_EXPOSED} or {@code FAILED}
   */
  public IssuingKey issuingKey(String label, InstantSource clock) {
    return issuingKeys(label, clock).getFirst();
  }

  /**
   * As {@link #issuingKey}, of all keys that follow each other under the label, the newest first;
   * without those whose chain is missing or not valid.
   */
  public List<IssuingKey> issuingKeys(String label, InstantSource clock) {
    List<KeyGeneration> all = store.generations(label);
    if (all.isEmpty()) {
      throw missing(label);
    }
    return KeyGeneration.usable(all, clock.instant()).stream().map(this::issuingKey).toList();
  }

  /** Returns the certificates of {@link #issuingKeys}; empty if there is none. */
  public List<X509Certificate> issuingCertificates(String label, InstantSource clock) {
    Instant now = clock.instant();
    return store.generations(label).stream()
        .filter(each -> each.isUsable(now))
        .map(KeyGeneration::certificate)
        .toList();
  }

  /**
   * Returns the labels of keys that follow each other under a label and answer OCSP requests: of
   * each issuer, that of the newest key that it has certified. Rereads the token.
   */
  public List<String> responders(String first) {
    Set<X509Certificate> issuers = new HashSet<>();
    return store.generations(first).stream()
        .filter(each -> ServiceUse.OCSP.isOf(each.certificate()))
        .filter(each -> each.key().chain().size() > 1 && issuers.add(each.key().chain().get(1)))
        .map(KeyGeneration::label)
        .toList();
  }

  private IssuingKey issuingKey(KeyGeneration generation) {
    return new IssuingKey(
        generation.key().privateKey(), store.provider(), generation.key().chain());
  }

  private static CaTokenException missing(String label) {
    return new CaTokenException(
        CaTokenException.Reason.NOT_BOOTSTRAPPED,
        "the token has no CA key " + label + ": run the CA's bootstrap");
  }
}
