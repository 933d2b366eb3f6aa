package org.keywell.dss;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.keywell.ca.token.PemCertificates;

/** Programs on the path that know nothing of DSS; the absence of one fails a test. */
record Tools(Path directory) {
  private static final long PATIENCE_SECONDS = 60;

  /**
   * What a program said.
   *
   * @param status 0 where it was content
   */
  record Said(int status, String text) {}

  /** The Python that has xmlsec and pyHanko. */
  static String linterPython() {
    String linters =
        Objects.requireNonNull(
            System.getenv("KEYWELL_TEST_LINTERS"),
            "run ./keywell test --lint: KEYWELL_TEST_LINTERS");
    return Path.of(linters, "bin", "python").toString();
  }

  Said run(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "said", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(List.of(command) + " does not end");
    }
    return new Said(
        process.exitValue(), new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1));
  }

  /** {@link #run} of what has to succeed. */
  String get(String... command) throws IOException, InterruptedException {
    Said said = run(command);
    if (said.status() != 0) {
      throw new AssertionError(List.of(command) + ": " + said);
    }
    return said.text();
  }

  String write(Document document) throws IOException {
    Files.write(directory.resolve(document.name()), document.content());
    return document.name();
  }

  String write(String name, X509Certificate certificate) throws IOException {
    Files.writeString(directory.resolve(name), PemCertificates.write(List.of(certificate)));
    return name;
  }
}
