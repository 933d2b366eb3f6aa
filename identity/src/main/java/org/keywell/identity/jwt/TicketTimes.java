package org.keywell.identity.jwt;

import com.nimbusds.jwt.JWTClaimsSet;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;

/**
 * The times that limit a ticket's use.
 *
 * @param authenticated when the signer was: {@code auth_time}, or {@code iat} without it
 * @param usableUntil when it counts as expired or too old, including the tolerated clock skew
 */
record TicketTimes(Instant authenticated, Instant usableUntil) {

  /**
   * Returns the times of a ticket that may be used now.
   *
   * @throws ProofRefusedException if it may not
   * @throws ParseException if a time is malformed
   */
  static TicketTimes of(JWTClaimsSet claims, Instant now, Duration maxAge, Duration clockSkew)
      throws ParseException {
    Instant expires = required(claims.getExpirationTime(), "exp");
    Instant issued = required(claims.getIssueTime(), "iat");
    Instant authenticated = instant(claims.getDateClaim("auth_time"));
    Instant notBefore = instant(claims.getNotBeforeTime());
    Instant latest = now.plus(clockSkew);
    requireNotAfter(issued, latest, "iat");
    requireNotAfter(authenticated, latest, "auth_time");
    requireNotAfter(notBefore, latest, "nbf");
    Instant oldest =
        authenticated != null && authenticated.isBefore(issued) ? authenticated : issued;
    Instant tooOld = oldest.plus(maxAge);
    boolean expiresFirst = expires.isBefore(tooOld);
    Instant usableUntil = (expiresFirst ? expires : tooOld).plus(clockSkew);
    if (!now.isBefore(usableUntil)) {
      throw new ProofRefusedException(
          ProofRefusal.NOT_VALID_NOW,
          expiresFirst
              ? "the ticket has expired"
              : "the ticket, or the authentication of the signer, is older than max-age");
    }
    return new TicketTimes(authenticated == null ? issued : authenticated, usableUntil);
  }

  private static Instant required(@Nullable Date time, String claim) {
    if (time == null) {
      throw new ProofRefusedException(ProofRefusal.MALFORMED, "the ticket has no " + claim);
    }
    return time.toInstant();
  }

  private static @Nullable Instant instant(@Nullable Date time) {
    return time == null ? null : time.toInstant();
  }

  private static void requireNotAfter(@Nullable Instant time, Instant latest, String claim) {
    if (time != null && time.isAfter(latest)) {
      throw new ProofRefusedException(
          ProofRefusal.NOT_VALID_NOW, "the ticket is not valid yet, according to its " + claim);
    }
  }
}
