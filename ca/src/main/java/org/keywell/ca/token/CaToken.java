package org.keywell.ca.token;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;

/**
 * The token that holds the CA's keys, opened for signing through instances of SunPKCS11. It
 * coexists with other users of the same module in the process: it accepts a module that is already
 * initialised and logged in, never logs out, and destroys nothing. After {@code C_Finalize} it must
 * not be used: open another one and create another certificate authority from it.
 */
public final class CaToken {
  private final List<TokenKeyStore> stores;

  private CaToken(List<TokenKeyStore> stores) {
    this.stores = stores;
  }

  /** Opens the token for {@link SigningLimits#defaults}. */
  public static CaToken open(TokenAddress address, char[] pin) {
    return open(address, pin, SigningLimits.defaults());
  }

  /**
   * Opens the token and logs in with the user's PIN, in a single attempt. If the process is already
   * logged in to the token, PKCS#11 cannot verify the PIN, and any PIN is accepted.
   *
   * @param pin not kept; the caller wipes it
   * @param limits how its keys will be used; determines the number of instances, each of which
   *     lists the token's content here
   * @throws CaTokenException {@code UNAVAILABLE}, {@code PIN_REFUSED} or {@code FAILED}
   */
  public static CaToken open(TokenAddress address, char[] pin, SigningLimits limits) {
    List<TokenKeyStore> stores = new ArrayList<>();
    for (int i = 0; i < limits.providers(); i++) {
      stores.add(TokenKeyStore.open(Providers.using(address), pin));
    }
    return new CaToken(List.copyOf(stores));
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
    List<KeyGeneration> all = stores.getFirst().generations(label);
    if (all.isEmpty()) {
      throw missing(label);
    }
    return KeyGeneration.usable(all, clock.instant()).stream().map(this::issuingKey).toList();
  }

  /** Returns the certificates of {@link #issuingKeys}; empty if there is none. */
  public List<X509Certificate> issuingCertificates(String label, InstantSource clock) {
    Instant now = clock.instant();
    return stores.getFirst().generations(label).stream()
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
    return stores.getFirst().generations(first).stream()
        .filter(each -> ServiceUse.OCSP.isOf(each.certificate()))
        .filter(each -> each.key().chain().size() > 1 && issuers.add(each.key().chain().get(1)))
        .map(KeyGeneration::label)
        .toList();
  }

  private IssuingKey issuingKey(KeyGeneration generation) {
    List<IssuingKey.Access> accesses = new ArrayList<>();
    accesses.add(
        new IssuingKey.Access(generation.key().privateKey(), stores.getFirst().provider()));
    for (TokenKeyStore store : stores.subList(1, stores.size())) {
      StoredKey key = store.find(generation.label()).orElseThrow(() -> missing(generation.label()));
      accesses.add(new IssuingKey.Access(key.privateKey(), store.provider()));
    }
    return new IssuingKey(accesses, generation.key().chain());
  }

  private static CaTokenException missing(String label) {
    return new CaTokenException(
        CaTokenException.Reason.NOT_BOOTSTRAPPED,
        "the token has no CA key " + label + ": run the CA's bootstrap");
  }
}
