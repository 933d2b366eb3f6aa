package org.keywell.ca;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Profiles of each kind. */
public final class SampleProfiles {
  /** Short-lived, and without any word on who was identified how. */
  public static final String SHORT_LIVED = "short-lived";

  /** What ETSI EN 319 412-2 wants of a qualified certificate of a natural person. */
  public static final String QUALIFIED = "qualified";

  private SampleProfiles() {}

  /** With {@link CertificateProfiles#STANDARD} by default settings. */
  public static CertificateProfiles all() {
    return new CertificateProfiles(
        Map.of(
            CertificateProfiles.STANDARD,
            new ProfileBuilder().profile(),
            SHORT_LIVED,
            new ProfileBuilder()
                .validity(Duration.ofHours(1))
                .noRevocationAvailable(true)
                .validityAssuredShortTerm(true)
                .authenticationContext(false)
                .profile(),
            QUALIFIED,
            qualified().profile()));
  }

  public static ProfileBuilder qualified() {
    return new ProfileBuilder()
        .policies("2.999.7")
        .crlUris("http://ca.example/issuing.crl")
        .ocspUris("http://ocsp.example")
        .caIssuersUris("http://ca.example/issuing.cer")
        .subject("etsi-natural-person")
        .qcStatements(qcStatements());
  }

  static QcSettings qcStatements() {
    return new QcSettings(
        true,
        List.of(),
        false,
        "esign",
        List.of(
            new QcSettings.Pds("en", "https://ca.example/pds-en.pdf"),
            new QcSettings.Pds("sv", "https://ca.example/pds-sv.pdf")),
        true,
        null);
  }
}
