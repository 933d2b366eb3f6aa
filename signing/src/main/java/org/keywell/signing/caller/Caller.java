package org.keywell.signing.caller;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.keywell.keypool.hsm.KeySpec;

/**
 * A caller and its rights. Code behind the edge uses this, never the HTTP request.
 *
 * @param name unique among callers; stored with each request and used in metrics
 * @param keySpecs the kinds of key that it may request; empty: all that the service has
 * @param profiles the certificate profiles that it may request, the first by default; empty: all
 *     that the service has, and its default
 */
public record Caller(
    String name,
    Set<Role> roles,
    Set<KeySpec> keySpecs,
    List<String> profiles,
    IdentityPolicy identity,
    CallerLimits limits) {

  /** The name of every caller on loopback without TLS. */
  public static final String LOOPBACK = "loopback";

  /** No caller in a file can have this name. */
  private static final String ANYONE = "(anyone)";

  private static final int ANYONES_SHARE_PERCENT = 50;

  public Caller {
    roles = Set.copyOf(roles);
    keySpecs = Set.copyOf(keySpecs);
    profiles = List.copyOf(profiles);
  }

  /** Returns the caller where being local suffices: it has all roles and vouches for signers. */
  public static Caller onLoopback() {
    return onLoopback(EnumSet.allOf(Role.class));
  }

  /** Returns the caller for a port that trusts this machine with only these roles. */
  public static Caller onLoopback(Set<Role> roles) {
    return new Caller(
        LOOPBACK, roles, Set.of(), List.of(), IdentityPolicy.TRUSTED_CALLER, CallerLimits.NONE);
  }

  /**
   * Returns the sender of a request that everyone may send: all of them share half of what there
   * is, so that callers have the rest.
   */
  public static Caller anyone() {
    return new Caller(
        ANYONE,
        Set.of(),
        Set.of(),
        List.of(),
        IdentityPolicy.REQUIRED,
        new CallerLimits(0, 0, 0, ANYONES_SHARE_PERCENT));
  }

  public boolean has(Role role) {
    return roles.contains(role);
  }

  public boolean mayUse(KeySpec spec) {
    return keySpecs.isEmpty() || keySpecs.contains(spec);
  }

  public boolean mayUse(String profile) {
    return profiles.isEmpty() || profiles.contains(profile);
  }
}
