package org.keywell.rest.tls;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.tls.Finding.Status;

/** Asks a responder (RFC 6960) through the JDK. Blocks; the caller limits for how long. */
final class OcspClient {

  private final @Nullable URI responder;

  /**
   * @param responder null: the one that each certificate names
   * @param timeLimit for the connection and for each part of the answer; applies to the process
   */
  OcspClient(@Nullable URI responder, Duration timeLimit) {
    this.responder = responder;
    String millis = timeLimit.toMillis() + "ms";
    System.setProperty("com.sun.security.ocsp.timeout", millis);
    System.setProperty("com.sun.security.ocsp.readtimeout", millis);
  }

  /** Returns the responder's answer for a certificate. */
  Finding find(X509Certificate certificate, X509Certificate issuer, Instant now) {
    try {
      CertPathValidator validator = CertPathValidator.getInstance("PKIX");
      PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
      checker.setOptions(EnumSet.of(Option.NO_FALLBACK));
      checker.setOcspResponder(responder);
      // The path was built before; this checks one link of it.
      PKIXParameters link = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
      link.addCertPathChecker(checker);
      link.setRevocationEnabled(false);
      link.setDate(Date.from(now));
      validator.validate(
          CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)), link);
      return Finding.good(Instant.MAX);
    } catch (CertPathValidatorException e) {
      return e.getReason() == BasicReason.REVOKED
          ? Finding.of(Status.REVOKED, "by OCSP")
          : Finding.of(Status.UNKNOWN, "OCSP: " + e.getMessage());
    } catch (GeneralSecurityException e) {
      return Finding.of(Status.UNKNOWN, "OCSP: " + e.getMessage());
    }
  }
}
