package org.keywell.dss;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/** How large certificates are. */
final class Certificates {

  private Certificates() {}

  /** Returns how many bytes the certificates have, given as PEM, when they are DER. */
  static int bytes(String pem) throws CertificateException {
    int sum = 0;
    for (Certificate each :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))) {
      sum += each.getEncoded().length;
    }
    return sum;
  }
}
