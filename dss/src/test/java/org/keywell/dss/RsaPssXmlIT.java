package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;

/**
 * XML that is signed by RSASSA-PSS, which the xmlsec1 of the systems that Keywell runs on does not
 * know: by libxmlsec 1.3 from Python's packages. {@code ./keywell test --lint} sets that up.
 */
@Tag("lint")
class RsaPssXmlIT {
  @TempDir private Path directory;
  private Tools tools;

  @BeforeEach
  void write() throws IOException {
    tools = new Tools(directory);
    try (InputStream program = getClass().getResourceAsStream("verify-xml.py")) {
      Files.copy(Objects.requireNonNull(program), directory.resolve("verify-xml.py"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"XADES_ENVELOPED", "XADES_ENVELOPING", "XADES_DETACHED", "ASICE_XADES"})
  void libxmlsec(DocumentFormat format) throws Exception {
    try (StandInService service = new StandInService();
        KeywellClient client = new KeywellClient(service.uri())) {
      tools.write("root.pem", service.root());
      Document signed =
          new KeywellDocumentSigner(client)
              .sign(Key.RSA_PSS.request().document(Samples.of(format), format).build())
              .document();

      assertThat(verify(format, signed, Samples.of(format)).text()).isEmpty();
      Tampered tampered = Tampered.of(format, signed, Samples.of(format));
      assertThat(verify(format, tampered.signed(), tampered.content()).status()).isNotZero();
    }
  }

  /**
   * @param content what a detached signature is over, which has to lie beside it
   */
  private Tools.Said verify(DocumentFormat format, Document signed, Document content)
      throws Exception {
    Document xml = signed;
    if (format == DocumentFormat.ASICE_XADES) {
      xml = Zip.entry(signed, "META-INF/signatures001.xml");
      tools.write(Zip.entry(signed, "contract.txt"));
    } else if (format == DocumentFormat.XADES_DETACHED) {
      tools.write(content);
    }
    return tools.run(Tools.linterPython(), "verify-xml.py", tools.write(xml), "root.pem");
  }
}
