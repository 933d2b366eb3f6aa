package org.keywell.ca;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The properties that all certificates of one kind share; immutable and checked. */
public final class CertificateProfile {

  /** The key usages (RFC 5280, section 4.2.1.3) that a one-time signing key may have. */
  public enum KeyUsage {
    DIGITAL_SIGNATURE,
    /** Formerly {@code nonRepudiation}. */
    CONTENT_COMMITMENT
  }

  /** ETSI EN 319 411-1, REV-6.2.4-03A. */
  private static final Duration LONGEST_SHORT_TERM = Duration.ofHours(24);

  private final Duration validity;
  private final Duration minValidity;
  private final Duration backdate;
  private final List<String> policies;
  private final Optional<URI> cpsUri;
  private final List<URI> crlUris;
  private final List<URI> ocspUris;
  private final List<URI> caIssuersUris;
  private final boolean crlsByDay;
  private final Set<KeyUsage> keyUsage;
  private final List<String> extendedKeyUsage;
  private final boolean noRevocationAvailable;
  private final boolean validityAssuredShortTerm;
  private final SubjectPolicy subjectPolicy;
  private final boolean authenticationContext;
  private final QcStatements qcStatements;

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
    ocspUris = ProfileRules.uris("ocspUris", settings.ocspUris(), 5);
    caIssuersUris = ProfileRules.uris("caIssuersUris", settings.caIssuersUris(), 5);
    crlsByDay = settings.crlsByDay();
    keyUsage = ProfileRules.keyUsage("keyUsage", settings.keyUsage());
    extendedKeyUsage =
        ProfileRules.objectIdentifiers("extendedKeyUsage", settings.extendedKeyUsage(), 10);
    noRevocationAvailable = settings.noRevocationAvailable();
    validityAssuredShortTerm = settings.validityAssuredShortTerm();
    subjectPolicy = ProfileRules.subject("subject", settings.subject());
    authenticationContext = settings.authenticationContext();
    qcStatements = new QcStatements(settings.qcStatements());
    requirePolicies();
    requireRevocation();
  }

  private void requirePolicies() {
    if (cpsUri.isPresent() && policies.isEmpty()) {
      throw new InvalidProfileException("cpsUri", "needs at least one policy that it belongs to");
    }
    if (qcStatements.compliance() && policies.isEmpty()) {
      throw new InvalidProfileException("policies", "is needed with qcStatements.compliance");
    }
    if (qcStatements.compliance() && subjectPolicy != SubjectPolicy.ETSI_NATURAL_PERSON) {
      throw new InvalidProfileException(
          "subject", "has to be etsi-natural-person with qcStatements.compliance");
    }
  }

  private void requireRevocation() {
    if (crlsByDay && !crlUris.isEmpty()) {
      throw new InvalidProfileException("crlsByDay", "excludes crlUris: they name other lists");
    }
    boolean tellsRevocation = !crlUris.isEmpty() || !ocspUris.isEmpty() || crlsByDay;
    if (noRevocationAvailable && tellsRevocation) {
      throw new InvalidProfileException(
          "noRevocationAvailable",
          "excludes crlUris, crlsByDay and ocspUris (RFC 9608, section 3)");
    }
    if (!validityAssuredShortTerm) {
      return;
    }
    if (validity.plus(backdate).compareTo(LONGEST_SHORT_TERM) > 0) {
      throw new InvalidProfileException(
          "validityAssuredShortTerm",
          "needs validity and backdate of together at most 24 hours (ETSI EN 319 412-1, clause"
              + " 5.2.2)");
    }
    if (!noRevocationAvailable && !tellsRevocation) {
      throw new InvalidProfileException(
          "validityAssuredShortTerm",
          "needs noRevocationAvailable, or crlUris, crlsByDay or ocspUris (ETSI EN 319 412-2,"
              + " GEN-4.3.11-2A)");
    }
  }

  /**
   * Checks the settings and creates the profile.
   *
   * @throws InvalidProfileException naming the first invalid setting
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

  public List<URI> ocspUris() {
    return ocspUris;
  }

  public List<URI> caIssuersUris() {
    return caIssuersUris;
  }

  /** Whether certificates name the CA's own list of their day. */
  public boolean crlsByDay() {
    return crlsByDay;
  }

  /** Returns the key usages; never empty. */
  public Set<KeyUsage> keyUsage() {
    return keyUsage;
  }

  public List<String> extendedKeyUsage() {
    return extendedKeyUsage;
  }

  public boolean noRevocationAvailable() {
    return noRevocationAvailable;
  }

  public boolean validityAssuredShortTerm() {
    return validityAssuredShortTerm;
  }

  /** Whether certificates state how the signer was identified, if known. */
  public boolean authenticationContext() {
    return authenticationContext;
  }

  public QcStatements qcStatements() {
    return qcStatements;
  }

  /**
   * Checks that a subject meets this profile's requirements.
   *
   * @throws InvalidSubjectException naming the first attribute that is missing or not acceptable
   */
  public void require(Subject subject) {
    subjectPolicy.require(subject);
    qcStatements.require(subject);
  }
}
