package org.keywell.ca;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A CA's certificate profiles by name; immutable. */
public final class CertificateProfiles {
  /** The name of the profile for requests that name none. */
  public static final String STANDARD = "standard";

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

  private final SortedMap<String, CertificateProfile> byName;
  private final Optional<URI> lists;
  private final Optional<URI> responders;

  /** Creates profiles of which none names the CA's own lists. */
  public CertificateProfiles(Map<String, CertificateProfile> byName) {
    this(byName, Optional.empty(), Optional.empty());
  }

  /** Creates profiles whose revocations are in lists alone. */
  public CertificateProfiles(Map<String, CertificateProfile> byName, Optional<URI> lists) {
    this(byName, lists, Optional.empty());
  }

  /**
   * @param lists where the CA publishes its own lists of revoked certificates; ends with a slash
   * @param responders where it answers OCSP requests about certificates in these lists; ends with a
   *     slash
   * @throws IllegalArgumentException if no profile is called {@link #STANDARD}, a name is not 1 to
   *     63 characters of a-z, 0-9, dot, underscore and hyphen, or a profile names lists of the CA's
   *     own and there are none
   */
  public CertificateProfiles(
      Map<String, CertificateProfile> byName, Optional<URI> lists, Optional<URI> responders) {
    this.byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    this.lists = lists;
    this.responders = responders;
    if (!byName.containsKey(STANDARD)) {
      throw new IllegalArgumentException("there is no profile " + STANDARD);
    }
    for (String name : byName.keySet()) {
      if (!isName(name)) {
        throw new IllegalArgumentException(
            "profile '" + name + "' is not named by 1 to 63 of a-z 0-9 . _ -");
      }
    }
    byName.forEach((name, profile) -> {
      if (profile.crlsByDay() && lists.isEmpty()) {
        throw new IllegalArgumentException(
            "profile '%s' names lists by day, and the CA publishes none".formatted(name));
      }
    });
  }

  /** Returns profiles with {@link #STANDARD} as the only one. */
  public static CertificateProfiles ofStandard(ProfileSettings settings) {
    return new CertificateProfiles(Map.of(STANDARD, CertificateProfile.of(settings)));
  }

  /** Whether a profile can have this name. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  public Optional<CertificateProfile> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Returns all profiles, sorted by name. */
  public SortedMap<String, CertificateProfile> all() {
    return byName;
  }

  /** Returns where the CA publishes its own lists of revoked certificates. */
  public Optional<URI> lists() {
    return lists;
  }

  /** Returns where the CA answers OCSP requests. */
  public Optional<URI> responders() {
    return responders;
  }

  /** Returns the same profiles for an issuing key that has certified no responder. */
  public CertificateProfiles withoutResponders() {
    return new CertificateProfiles(byName, lists);
  }

  /** Returns the longest validity of certificates that name such a list; zero if none does. */
  public Duration longestListed() {
    return byName.values().stream()
        .filter(CertificateProfile::crlsByDay)
        .map(CertificateProfile::validity)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** Returns the longest minimum validity of any profile. */
  public Duration minValidity() {
    return byName.values().stream()
        .map(CertificateProfile::minValidity)
        .max(Duration::compareTo)
        .orElseThrow();
  }
}
