package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

class VisibleSignatureTest {
  private StandInService service;
  private KeywellClient client;

  @TempDir private Path directory;

  @BeforeEach
  void start() throws IOException {
    service = new StandInService();
    client = new KeywellClient(service.uri());
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  private Document sign(VisibleSignature visible) throws Exception {
    DocumentSignRequest request =
        DocumentSignRequest.by(Signer.named("Åsa Öberg"))
            .document(DocumentToSign.pdf(Samples.pdf(), visible))
            .build();
    Document signed = new KeywellDocumentSigner(client).sign(request).document();
    assertThat(DocumentVerification.trusting(List.of(service.root())).verify(signed).passed())
        .isTrue();
    return signed;
  }

  private static String text(Document pdf) throws IOException {
    try (PDDocument document = Loader.loadPDF(pdf.content())) {
      document.getDocumentCatalog().getAcroForm().flatten();
      return new PDFTextStripper().getText(document);
    }
  }

  @Test
  void thePageSaysWhoSignedAndWhen() throws Exception {
    assertThat(text(sign(VisibleSignature.onPage(1, 40, 420))))
        .contains("Signed by Åsa Öberg")
        .containsPattern("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC");
  }

  @Test
  void thePageSaysWhatTheCallerWants() throws Exception {
    assertThat(text(sign(VisibleSignature.onPage(1, 40, 420).saying("Agreed.\nÅsa"))))
        .contains("Agreed.")
        .doesNotContain("Signed by");
  }

  /** As a reader of PDFs draws it: paper where nothing is, ink where the field is. */
  @Test
  void aReaderShowsIt() throws Exception {
    Tools tools = new Tools(directory);
    tools.write(sign(VisibleSignature.onPage(1, 40, 420)));
    tools.get("pdftoppm", "-png", "-r", "72", "-singlefile", "contract-signed.pdf", "page");
    Path png = directory.resolve("page.png");

    BufferedImage page = ImageIO.read(png.toFile());

    assertThat(page.getRGB(20, 440) & 0xffffff).isEqualTo(0xffffff);
    assertThat(page.getRGB(42, 422) & 0xffffff).isNotEqualTo(0xffffff);
  }

  @Test
  void aFieldBesidesThePageIsRefusedBeforeTheKeySigns() {
    assertThatThrownBy(() -> sign(VisibleSignature.onPage(1, 400, 420)))
        .isInstanceOf(DocumentSigningException.class);
    assertThatThrownBy(() -> sign(VisibleSignature.onPage(7, 40, 420)))
        .isInstanceOf(DocumentSigningException.class);
    assertThat(service.signedActs()).isEmpty();
    assertThat(service.cancelledActs()).hasSize(2);
  }
}
