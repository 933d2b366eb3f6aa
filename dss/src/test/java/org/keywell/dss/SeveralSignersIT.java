package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** pyHanko looks at each change that was made to a PDF after it was signed, object by object. */
@Tag("lint")
class SeveralSignersIT {
  @TempDir private Path directory;

  @Test
  void whatTheNextSignerShowsBreaksNoEarlierSignature() throws Exception {
    Tools tools = new Tools(directory);
    try (InputStream program = getClass().getResourceAsStream("verify-pdf.py")) {
      Files.copy(Objects.requireNonNull(program), directory.resolve("verify-pdf.py"));
    }
    Document pdf = Samples.pdf();
    try (StandInService service = new StandInService();
        KeywellClient client = new KeywellClient(service.uri())) {
      tools.write("root.pem", service.root());
      KeywellDocumentSigner signer = new KeywellDocumentSigner(client);
      for (String name : List.of("Åsa Öberg", "Юрий Орлов", "Birger Jarl")) {
        pdf =
            signer
                .sign(
                    DocumentSignRequest.by(Signer.named(name))
                        .document(DocumentToSign.pdf(pdf, VisibleSignature.atFreePlace()))
                        .build())
                .document();
      }
    }

    Tools.Said said =
        tools.run(Tools.linterPython(), "verify-pdf.py", tools.write(pdf), "root.pem");

    assertThat(said.status()).as(said.text()).isZero();
    assertThat(said.text()).hasLineCount(3).doesNotContain("ILLEGAL");
  }
}
