package org.keywell.ca.token;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyPurposeId;

/** What the issuing CA certifies a key of the service itself for, and for nothing else. */
public enum ServiceUse {
  /** RFC 3161, section 2.3: the purpose is critical. */
  TIME_STAMPS,
  /**
   * RFC 6960, section 4.2.2.2: its revocation need not be looked for, which would go in circles.
   */
  OCSP;

  KeyPurposeId purpose() {
    return switch (this) {
      case TIME_STAMPS -> KeyPurposeId.id_kp_timeStamping;
      case OCSP -> KeyPurposeId.id_kp_OCSPSigning;
    };
  }

  /** Whether a certificate is for this. */
  boolean isOf(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return purposes != null && purposes.contains(purpose().getId());
    } catch (CertificateParsingException e) {
      return false;
    }
  }

  boolean isCritical() {
    return this == TIME_STAMPS;
  }

  /** Whether the certificate names a list of revoked ones. */
  boolean isListed() {
    return this == TIME_STAMPS;
  }
}
