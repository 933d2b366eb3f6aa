package org.keywell.ca;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/** Reads what a certificate authority answers. */
public final class Certificates {
  private Certificates() {}

  /** The certificate, or a failure that says why there is none. */
  public static X509Certificate of(Certification certification) {
    return switch (certification) {
      case Certification.Certified certified -> parse(certified.certificate());
      case Certification.Refused refused -> throw new AssertionError("refused: " + refused);
    };
  }

  public static X509Certificate parse(byte[] der) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw new AssertionError(e);
    }
  }
}
