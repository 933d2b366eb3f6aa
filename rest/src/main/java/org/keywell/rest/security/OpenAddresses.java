package org.keywell.rest.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.IdentityPolicy;
import org.keywell.signing.caller.Role;

/**
 * Lets everyone in at the addresses of a witness, as one caller; any other address identifies its
 * callers as before. What a witness is offered is signed by the log.
 */
final class OpenAddresses implements CallerSource {

  /** All strangers together: they share the places of one caller. */
  private static final Caller STRANGER =
      new Caller(
          "witnessed-logs",
          EnumSet.of(Role.READ),
          Set.of(),
          List.of(),
          IdentityPolicy.TRUSTED_CALLER,
          CallerLimits.NONE);

  private final Set<String> addresses;
  private final CallerSource others;

  OpenAddresses(Set<String> addresses, CallerSource others) {
    this.addresses = Set.copyOf(addresses);
    this.others = others;
  }

  /** Compares addresses letter by letter: what is only equivalent identifies its caller. */
  @Override
  public Caller of(HttpServletRequest request) {
    return addresses.contains(request.getRequestURI()) ? STRANGER : others.of(request);
  }
}
