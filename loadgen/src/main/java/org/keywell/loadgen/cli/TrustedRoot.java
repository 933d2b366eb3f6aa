package org.keywell.loadgen.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;

/** Finds the root certificate that the answers' chains must lead to. */
final class TrustedRoot {

  private TrustedRoot() {}

  /** Returns the last certificate of the file or, without one, of the service's own chain. */
  static X509Certificate of(@Nullable Path file, KeywellClient client)
      throws IOException, InterruptedException {
    byte[] pem =
        file == null
            ? client.chainPem().getBytes(StandardCharsets.US_ASCII)
            : Files.readAllBytes(file);
    String source = file == null ? "the service's chain" : file.toString();
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem))
          .stream()
          .map(X509Certificate.class::cast)
          .reduce((_, last) -> last)
          .orElseThrow(() -> new IOException(source + " holds no certificate"));
    } catch (CertificateException e) {
      throw new IOException(source + " is not readable: " + e.getMessage(), e);
    }
  }
}
