package org.keywell.rest;

import java.util.List;
import java.util.Set;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.IdentityPolicy;
import org.keywell.signing.caller.Role;

/** Callers that vouch for signers. */
public final class Callers {

  private Callers() {}

  /** Has these roles, and no limits. */
  public static Caller of(String name, Role... roles) {
    return new Caller(
        name, Set.of(roles), Set.of(), List.of(), IdentityPolicy.TRUSTED_CALLER, CallerLimits.NONE);
  }

  /** Signs, within limits. */
  public static Caller limited(String name, CallerLimits limits) {
    return new Caller(
        name, Set.of(Role.SIGN), Set.of(), List.of(), IdentityPolicy.TRUSTED_CALLER, limits);
  }
}
