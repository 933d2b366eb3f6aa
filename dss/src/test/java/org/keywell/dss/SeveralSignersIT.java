package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.standin.PublishingCa;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** pyHanko looks at each change that was made to a PDF after it was signed, object by object. */
@Tag("lint")
class SeveralSignersIT {
  @TempDir private Path directory;
  private Tools tools;

  @BeforeEach
  void writePrograms() throws Exception {
    tools = new Tools(directory);
    for (String name : List.of("verify-pdf.py", "verify-xml.py")) {
      try (InputStream program = getClass().getResourceAsStream(name)) {
        Files.copy(Objects.requireNonNull(program), directory.resolve(name));
      }
    }
  }

  /** The first signer's level, the second's, and the first one's again. */
  @ParameterizedTest
  @CsvSource({
    "PADES, B", "PADES, T", "PADES, LT", "PADES, LTA",
    "XADES_ENVELOPED, B", "XADES_ENVELOPED, T", "XADES_ENVELOPED, LT", "XADES_ENVELOPED, LTA"
  })
  void signaturesOfAllLevelsPassTogether(DocumentFormat format, BaselineLevel first)
      throws Exception {
    try (PublishingCa ca = new PublishingCa();
        StandInService service = new StandInService(ca);
        KeywellClient client = new KeywellClient(service.uri())) {
      ca.unit(Duration.ofDays(365)).serve(service);
      tools.write("root.pem", ca.root());
      ValidationSources sources = ValidationSources.trusting(List.of(ca.root()));
      for (BaselineLevel second : BaselineLevel.values()) {
        String pair = first + " and " + second;
        Document signed =
            FurtherSignersTest.signed(client, sources, format, List.of(first, second, first));

        assertThat(DocumentVerification.trusting(List.of(ca.root())).verify(signed).passed())
            .as(pair)
            .isTrue();
        if (format == DocumentFormat.PADES) {
          assertPassed(pair, "verify-pdf.py", signed);
          assertThat(tools.get("pdfsig", "-nocert", signed.name()))
              .as(pair)
              .contains("Signature Validation: Signature is Valid.")
              .doesNotContain("Mismatch", "Invalid");
        } else {
          assertPassed(pair, "verify-xml.py", signed);
        }
      }
    }
  }

  private void assertPassed(String pair, String program, Document signed) throws Exception {
    Tools.Said said = tools.run(Tools.linterPython(), program, tools.write(signed), "root.pem");
    assertThat(said.status()).as(pair + ": " + said.text()).isZero();
    assertThat(said.text()).as(pair).hasLineCount(3).doesNotContain("ILLEGAL");
  }

  /** Their first signer is unknown here; what counts is what came after. */
  @ParameterizedTest
  @ValueSource(strings = {"link-without-type.pdf", "direct-extensions.pdf"})
  void aFurtherSignatureChangesNothingElse(String name) throws Exception {
    for (Document signed : signedInBothWays(name)) {
      Tools.Said said =
          tools.run(Tools.linterPython(), "verify-pdf.py", tools.write(signed), "root.pem");

      assertThat(said.text())
          .contains("INTACT:UNTRUSTED,EXTENDED_WITH_FORM_FILLING,ACCEPTABLE_MODIFICATIONS")
          .contains("INTACT:TRUSTED,UNTOUCHED");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "qpdf-object-streams.pdf",
        "qpdf-linearized.pdf",
        "chromium.pdf",
        "mupdf.pdf",
        "hybrid.pdf",
        "hybrid-one-section.pdf"
      })
  void qpdfFindsNoError(String name) throws Exception {
    for (Document signed : signedInBothWays(name)) {
      Tools.Said said = tools.run("qpdf", "--check", tools.write(signed));

      assertThat(said.status()).as(said.text()).isZero();
    }
  }

  /** Invisibly, and visibly. */
  private List<Document> signedInBothWays(String name) throws Exception {
    try (InputStream in = getClass().getResourceAsStream("pdf/" + name);
        StandInService service = new StandInService();
        KeywellClient client = new KeywellClient(service.uri())) {
      Document pdf = new Document(name, Objects.requireNonNull(in, name).readAllBytes());
      tools.write("root.pem", service.root());
      List<Document> signed = new ArrayList<>();
      for (DocumentToSign document :
          List.of(
              DocumentToSign.of(pdf, DocumentFormat.PADES),
              DocumentToSign.pdf(pdf, VisibleSignature.atFreePlace()))) {
        signed.add(
            new KeywellDocumentSigner(client)
                .sign(DocumentSignRequest.by(Signer.named("Åsa Öberg")).document(document).build())
                .document());
      }
      return signed;
    }
  }

  @Test
  void whatTheNextSignerShowsBreaksNoEarlierSignature() throws Exception {
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
