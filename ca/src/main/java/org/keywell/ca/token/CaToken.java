package org.keywell.ca.token;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;

/**
 * The token that holds the CA's keys, opened for signing with instances of SunPKCS11. It lives
 * beside other users of the same module in the process: it tolerates that the module is initialised
 * and logged in to, never logs out, and destroys nothing. After {@code C_Finalize} it is dead, and
 * must not be used: open another one, and make another certificate authority from it.
 */
public final class CaToken {
  private final List<TokenKeyStore> stores;

  private CaToken(List<TokenKeyStore> stores) {
    this.stores = stores;
  }

  /** For {@link SigningLimits#defaults}. */
  public static CaToken open(TokenAddress address, char[] pin) {
    return open(address, pin, SigningLimits.defaults());
  }

  /**
   * Opens the token and logs in with the user's PIN, in a single attempt. Where the process is
   * logged in to the token already, PKCS#11 does not let the PIN be verified, and any is accepted.
   *
   * @param pin not kept; the caller wipes it
   * @param limits with what its keys will be used: what tells how many instances it takes, each of
   *     which lists the token's content here
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
   * The issuing CA's key and its chain, validated for this moment. Reads the token anew.
   *
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED}, {@code AWAITING_CHAIN}, {@code
   *     CHAIN_REFUSED}, {@code KEY_EXPOSED} or {@code FAILED}
   */
  public IssuingKey issuingKey(String label, InstantSource clock) {
    StoredKey key = find(stores.getFirst(), label);
    if (key.awaitsChain()) {
      throw new CaTokenException(
          CaTokenException.Reason.AWAITING_CHAIN,
          "CA key " + label + " has no certificate yet: import the answer to its request");
    }
    IssuingChain.check(key.chain(), clock.instant());
    List<IssuingKey.Access> accesses = new ArrayList<>();
    accesses.add(new IssuingKey.Access(key.privateKey(), stores.getFirst().provider()));
    for (TokenKeyStore store : stores.subList(1, stores.size())) {
      accesses.add(new IssuingKey.Access(find(store, label).privateKey(), store.provider()));
    }
    return new IssuingKey(accesses, key.chain());
  }

  private static StoredKey find(TokenKeyStore store, String label) {
    return store
        .find(label)
        .orElseThrow(() ->
            new CaTokenException(
                CaTokenException.Reason.NOT_BOOTSTRAPPED,
                "the token has no CA key " + label + ": run the CA's bootstrap"));
  }
}
