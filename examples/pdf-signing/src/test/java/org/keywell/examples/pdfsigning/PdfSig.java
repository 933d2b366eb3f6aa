package org.keywell.examples.pdfsigning;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Poppler's {@code pdfsig}, another maker's eye, with NSS's store of whom to trust. */
final class PdfSig {

  private final Path trust;
  private final Path home;

  private PdfSig(Path trust, Path home) {
    this.trust = trust;
    this.home = home;
  }

  static PdfSig trusting(X509Certificate root, Path home) throws Exception {
    Path trust = Files.createTempDirectory(home, "trust");
    Path pem = trust.resolve("root.pem");
    Files.writeString(
        pem,
        "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
            .formatted(Base64.getMimeEncoder().encodeToString(root.getEncoded())));
    String store = "sql:" + trust;
    run("certutil", "-N", "-d", store, "--empty-password");
    run("certutil", "-A", "-d", store, "-n", "root", "-t", "CT,CT,CT", "-i", pem.toString());
    return new PdfSig(trust, home);
  }

  /** What it says. */
  String look(byte[] pdf) throws IOException, InterruptedException {
    Path file = Files.write(Files.createTempFile(home, "signed", ".pdf"), pdf);
    return run("pdfsig", "-nssdir", "sql:" + trust, file.toString());
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(command[0] + " does not end");
    }
    return said;
  }
}
