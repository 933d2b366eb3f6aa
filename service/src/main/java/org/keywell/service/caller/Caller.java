package org.keywell.service.caller;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.keywell.keypool.hsm.KeySpec;

/**
 * Who sent a request, with its rights. What lies behind the edge asks this, never the HTTP request.
 *
 * @param name unique among callers; on record with each request, and in metrics
 * @param keySpecs the kinds of key that it may ask for; empty: all that the service has
 * @param profiles the certificate profiles that it may ask for, the first by default; empty: all
 *     that the service has, and its default
 */
public record Caller(
    String name,
    Set<Role> roles,
    Set<KeySpec> keySpecs,
    List<String> profiles,
    IdentityPolicy identity,
    CallerLimits limits) {

  /** The name of whoever calls on loopback, without TLS. */
  public static final String LOOPBACK = "loopback";

  public Caller {
    roles = Set.copyOf(roles);
    keySpecs = Set.copyOf(keySpecs);
    profiles = List.copyOf(profiles);
  }

  /** Whoever is on this machine, where that is enough: may do all, and vouches for signers. */
  public static Caller onLoopback() {
    return onLoopback(EnumSet.allOf(Role.class));
  }

  /** Whoever is on this machine, at a port that is for these roles alone. */
  public static Caller onLoopback(Set<Role> roles) {
    return new Caller(
        LOOPBACK, roles, Set.of(), List.of(), IdentityPolicy.TRUSTED_CALLER, CallerLimits.NONE);
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
