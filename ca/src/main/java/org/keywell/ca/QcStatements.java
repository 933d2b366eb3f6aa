package org.keywell.ca;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/** The statements of a qualified certificate that a profile includes; immutable and checked. */
public final class QcStatements {

  /** A PKI disclosure statement. */
  public record Pds(String language, URI url) {}

  private final boolean compliance;
  private final List<String> legislation;
  private final boolean sscd;
  private final boolean electronicSignature;
  private final List<Pds> pds;
  private final boolean naturalPersonSemantics;
  private final Optional<URI> nameRegistrationAuthority;

  QcStatements(QcSettings settings) {
    compliance = settings.compliance();
    legislation = QcRules.countries(settings.legislation());
    sscd = settings.sscd();
    electronicSignature = QcRules.isElectronicSignature(settings.type());
    pds = QcRules.pds(settings.pds());
    naturalPersonSemantics = settings.naturalPersonSemantics();
    nameRegistrationAuthority =
        ProfileRules.uri(
            "qcStatements.nameRegistrationAuthority", settings.nameRegistrationAuthority());
    if (compliance && !electronicSignature) {
      throw new InvalidProfileException(
          "qcStatements.type", "is needed with compliance (ETSI EN 319 412-5, clause 5)");
    }
    if (compliance && legislation.isEmpty() && pds.isEmpty()) {
      throw new InvalidProfileException(
          "qcStatements.pds", "is needed with compliance (ETSI EN 319 412-5, clause 5)");
    }
    if (!compliance && (sscd || !legislation.isEmpty())) {
      throw new InvalidProfileException(
          "qcStatements.compliance", "is needed by sscd and legislation");
    }
    if (nameRegistrationAuthority.isPresent() && !naturalPersonSemantics) {
      throw new InvalidProfileException(
          "qcStatements.nameRegistrationAuthority", "belongs to naturalPersonSemantics");
    }
  }

  /** Whether there is nothing to state. */
  public boolean isEmpty() {
    return !compliance && !electronicSignature && pds.isEmpty() && !naturalPersonSemantics;
  }

  public boolean compliance() {
    return compliance;
  }

  /** Returns ISO 3166-1 alpha-2 codes; empty means EU law. */
  public List<String> legislation() {
    return legislation;
  }

  public boolean sscd() {
    return sscd;
  }

  /** Whether the certificate states the type "electronic signature". */
  public boolean electronicSignature() {
    return electronicSignature;
  }

  public List<Pds> pds() {
    return pds;
  }

  public boolean naturalPersonSemantics() {
    return naturalPersonSemantics;
  }

  public Optional<URI> nameRegistrationAuthority() {
    return nameRegistrationAuthority;
  }

  /**
   * Refuses local serial numbers that no authority defines (ETSI EN 319 412-1, NAT-5.1.3-05).
   *
   * @throws InvalidSubjectException naming it
   */
  void require(Subject subject) {
    String serialNumber = subject.serialNumber();
    if (naturalPersonSemantics
        && nameRegistrationAuthority.isEmpty()
        && serialNumber != null
        && serialNumber.charAt(2) == ':') {
      throw new InvalidSubjectException(
          SubjectAttribute.SERIAL_NUMBER,
          "is of a local kind, and the profile names no nameRegistrationAuthority for it");
    }
  }
}
