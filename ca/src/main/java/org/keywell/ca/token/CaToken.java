package org.keywell.ca.token;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
   * Returns the issuing CA's key and its chain, validated as of now. Rereads the token.
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
