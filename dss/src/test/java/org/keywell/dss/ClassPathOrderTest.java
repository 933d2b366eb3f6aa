package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/**
 * Signed PDFs are read wherever this module is on the class path, in a JVM of its own each time.
 */
class ClassPathOrderTest {
  @TempDir private Path directory;
  private Tools tools;

  @BeforeEach
  void writeASignedPdf() throws Exception {
    tools = new Tools(directory);
    try (StandInService service = new StandInService();
        KeywellClient client = new KeywellClient(service.uri())) {
      tools.write("root.pem", service.root());
      tools.write(
          new KeywellDocumentSigner(client)
              .sign(Samples.pdf(), DocumentFormat.PADES, Signer.named("Astrid Lindgren")));
    }
  }

  @Test
  void ofMavensOrder() throws Exception {
    assertPasses(entries());
  }

  /** As Spring Boot packs its executable jars: {@code dss-…} is before {@code keywell-dss}. */
  @Test
  void ofAnExecutableJarsOrder() throws Exception {
    assertPasses(
        entries().stream()
            .sorted(Comparator.comparing(entry -> !entry.contains(File.separator + "dss-cms")))
            .toList());
  }

  private static List<String> entries() {
    return Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  private void assertPasses(List<String> classPath) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Tools.Said said =
        tools.run(
            java,
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            String.join(File.pathSeparator, classPath),
            VerifyCommand.class.getName(),
            "contract-signed.pdf",
            "root.pem");

    assertThat(said.text()).contains("TOTAL_PASSED");
    assertThat(said.status()).isZero();
  }
}
