package org.keywell.dss;

import eu.europa.esig.dss.enumerations.Level;
import eu.europa.esig.dss.model.policy.ValidationPolicy;
import eu.europa.esig.dss.policy.EtsiValidationPolicy;
import eu.europa.esig.dss.policy.EtsiValidationPolicyFactory;
import eu.europa.esig.dss.policy.jaxb.BasicSignatureConstraints;
import eu.europa.esig.dss.policy.jaxb.CertificateConstraints;
import eu.europa.esig.dss.policy.jaxb.LevelConstraint;
import eu.europa.esig.dss.validation.policy.ValidationPolicyLoader;
import java.util.stream.Stream;

/**
 * DSS's default policy with one exception: missing revocation information is only a warning. Below
 * level LT a document has none, and nothing is fetched here.
 */
final class RevocationLeftOut {
  private RevocationLeftOut() {}

  static ValidationPolicy policy() {
    EtsiValidationPolicy policy =
        (EtsiValidationPolicy) new EtsiValidationPolicyFactory().loadDefaultValidationPolicy();
    Stream.of(
            policy.getSignatureConstraints().getBasicSignatureConstraints(),
            policy.getTimestampConstraints().getBasicSignatureConstraints())
        .flatMap(RevocationLeftOut::certificates)
        .forEach(RevocationLeftOut::warnOnly);
    return ValidationPolicyLoader.fromValidationPolicy(policy)
        .withDefaultCryptographicSuite()
        .create();
  }

  private static Stream<CertificateConstraints> certificates(BasicSignatureConstraints basic) {
    return Stream.of(basic.getSigningCertificate(), basic.getCACertificate());
  }

  private static void warnOnly(CertificateConstraints certificate) {
    LevelConstraint warn = new LevelConstraint();
    warn.setLevel(Level.WARN);
    certificate.setRevocationDataAvailable(warn);
  }
}
