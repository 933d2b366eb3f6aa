package org.keywell.ca.token;

import java.time.InstantSource;
import org.keywell.ca.issuance.IssuingKey;

/**
 * The token that holds the CA's keys, opened for signing with one instance of SunPKCS11. It lives
 * beside other users of the same module in the process: it tolerates that the module is initialised
 * and logged in to, never logs out, and destroys nothing. After {@code C_Finalize} it is dead, and
 * must not be used: open another one, and make another certificate authority from it.
 */
public final class CaToken {
  private final TokenKeyStore store;

  private CaToken(TokenKeyStore store) {
    this.store = store;
  }

  /**
   * Opens the token and logs in with the user's PIN, in a single attempt. Where the process is
   * logged in to the token already, PKCS#11 does not let the PIN be verified, and any is accepted.
   *
   * @param pin not kept; the caller wipes it
   * @throws CaTokenException {@code UNAVAILABLE}, {@code PIN_REFUSED} or {@code FAILED}
   */
  public static CaToken open(TokenAddress address, char[] pin) {
    return new CaToken(TokenKeyStore.open(Providers.using(address), pin));
  }

  /**
   * The issuing CA's key and its chain, validated for this moment. Reads the token anew.
   *
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED}, {@code AWAITING_CHAIN}, {@code
   *     CHAIN_REFUSED}, {@code KEY_EXPOSED} or {@code FAILED}
   */
  public IssuingKey issuingKey(String label, InstantSource clock) {
    StoredKey key =
        store
            .find(label)
            .orElseThrow(() ->
                new CaTokenException(
                    CaTokenException.Reason.NOT_BOOTSTRAPPED,
                    "the token has no CA key " + label + ": run the CA's bootstrap"));
    if (key.awaitsChain()) {
      throw new CaTokenException(
          CaTokenException.Reason.AWAITING_CHAIN,
          "CA key " + label + " has no certificate yet: import the answer to its request");
    }
    IssuingChain.check(key.chain(), clock.instant());
    return new IssuingKey(key.privateKey(), store.provider(), key.chain());
  }
}
