package org.keywell.dss;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

/** Verifies a signed file under a root, both named as arguments, and prints what was found. */
final class VerifyCommand {
  private VerifyCommand() {}

  static void main(String[] args) throws Exception {
    byte[] root = Files.readAllBytes(Path.of(args[1]));
    X509Certificate anchor =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(root));
    VerifiedDocument verified =
        DocumentVerification.trusting(List.of(anchor)).verify(Document.read(Path.of(args[0])));
    System.out.println(verified);
    System.exit(verified.passed() ? 0 : 1);
  }
}
