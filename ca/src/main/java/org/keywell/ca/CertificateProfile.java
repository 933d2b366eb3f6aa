package org.keywell.ca;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What all certificates of one issuer have in common; immutable and checked. */
public final class CertificateProfile {

  /** The key usages (RFC 5280, section 4.2.1.3) that a one-time signing key may have. */
  public enum KeyUsage {
    DIGITAL_SIGNATURE,
    /** Formerly {@code nonRepudiation}. */
    CONTENT_COMMITMENT
  }

  private final Duration validity;
  private final Duration minValidity;
  private final Duration backdate;
  private final List<String> policies;
  private final Optional<URI> cpsUri;
  private final List<URI> crlUris;
  private final List<URI> caIssuersUris;
  private final Set<KeyUsage> keyUsage;
  private final List<String> extendedKeyUsage;
  private final boolean noRevocationAvailable;

  private CertificateProfile(ProfileSettings settings) {
    validity =
        ProfileRules.within(
            "validity", settings.validity(), Duration.ofMinutes(1), Duration.ofDays(3653));
    minValidity =
        ProfileRules.within("minValidity", settings.minValidity(), Duration.ofSeconds(1), validity);
    backdate =
        ProfileRules.within("backdate", settings.backdate(), Duration.ZERO, Duration.ofHours(24));
    policies = ProfileRules.objectIdentifiers("policies", settings.policies(), 10);
    cpsUri = ProfileRules.uri("cpsUri", settings.cpsUri());
    crlUris = ProfileRules.uris("crlUris", settings.crlUris(), 5);
    caIssuersUris = ProfileRules.uris("caIssuersUris", settings.caIssuersUris(), 5);
    keyUsage = ProfileRules.keyUsage("keyUsage", settings.keyUsage());
    extendedKeyUsage =
        ProfileRules.objectIdentifiers("extendedKeyUsage", settings.extendedKeyUsage(), 10);
    noRevocationAvailable = settings.noRevocationAvailable();
    if (cpsUri.isPresent() && policies.isEmpty()) {
      throw new InvalidProfileException("cpsUri", "needs at least one policy that it belongs to");
    }
    if (noRevocationAvailable && !crlUris.isEmpty()) {
      throw new InvalidProfileException(
          "noRevocationAvailable", "excludes crlUris (RFC 9608, section 3)");
    }
  }

  /**
   * Checks the settings.
   *
   * @throws InvalidProfileException naming the first setting that does not hold
   */
  public static CertificateProfile of(ProfileSettings settings) {
    return new CertificateProfile(settings);
  }

  public Duration validity() {
    return validity;
  }

  public Duration minValidity() {
    return minValidity;
  }

  public Duration backdate() {
    return backdate;
  }

  public List<String> policies() {
    return policies;
  }

  public Optional<URI> cpsUri() {
    return cpsUri;
  }

  public List<URI> crlUris() {
    return crlUris;
  }

  public List<URI> caIssuersUris() {
    return caIssuersUris;
  }

  /** Never empty. */
  public Set<KeyUsage> keyUsage() {
    return keyUsage;
  }

  public List<String> extendedKeyUsage() {
    return extendedKeyUsage;
  }

  public boolean noRevocationAvailable() {
    return noRevocationAvailable;
  }
}
