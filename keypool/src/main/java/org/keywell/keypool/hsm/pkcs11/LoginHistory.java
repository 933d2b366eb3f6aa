package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * A token's account of earlier logins. Without it, a supervisor that restarts a service after each
 * failure would try a wrong PIN until the token locks.
 */
public final class LoginHistory {

  private static volatile boolean refused;

  private LoginHistory() {}

  /** Whether a token refused a PIN that this process gave. */
  public static boolean hasRefusal() {
    return refused;
  }

  static void refused() {
    refused = true;
  }

  /**
   * Accepts a token whose last login succeeded, and one that does not exist yet. Does not log in.
   * While the user has no PIN, the security officer's logins count, since a start needs one only
   * then.
   *
   * @throws HsmException with {@link Reason#LOGIN_REFUSED} if a wrong PIN was given since the last
   *     successful login (PKCS#11, {@code CKF_USER_PIN_COUNT_LOW}, {@code CKF_SO_PIN_COUNT_LOW}),
   *     or the PIN is locked
   */
  public static void requireNoFailure(Pkcs11Config config) {
    Functions functions =
        CryptokiLibrary.load(config.module(), config.initializeParameters()).functions();
    requireNoFailure(functions, config.tokenLabel());
  }

  static void requireNoFailure(Functions functions, String tokenLabel) {
    new Slots(functions).find(tokenLabel).ifPresent(LoginHistory::requireNoFailure);
  }

  private static void requireNoFailure(TokenInfo token) {
    if (token.userPinInitialized() ? token.loginFailed() : token.officerLoginFailed()) {
      throw new HsmException(
          Reason.LOGIN_REFUSED,
          "the last login %sto token '%s' failed, so none is tried; correct the PIN, then run the command bootstrap, which tries once"
              .formatted(
                  token.userPinInitialized() ? "" : "of the security officer ", token.label()));
    }
  }
}
