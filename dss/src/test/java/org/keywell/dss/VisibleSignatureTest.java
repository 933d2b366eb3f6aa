package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.europa.esig.dss.pades.DSSFileFont;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationWidget;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDSignatureField;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.standin.StandInService;
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
    return sign("Åsa Öberg", Samples.pdf(), visible);
  }

  private Document sign(String name, Document pdf, VisibleSignature visible) throws Exception {
    DocumentSignRequest request =
        DocumentSignRequest.by(Signer.named(name))
            .document(DocumentToSign.pdf(pdf, visible))
            .build();
    Document signed = new KeywellDocumentSigner(client).sign(request).document();
    assertThat(DocumentVerification.trusting(List.of(service.root())).verify(signed).passed())
        .isTrue();
    return signed;
  }

  private static List<PDRectangle> fields(Document pdf) throws IOException {
    try (PDDocument document = Loader.loadPDF(pdf.content())) {
      return document.getSignatureFields().stream()
          .map(field -> field.getWidgets().getFirst().getRectangle())
          .toList();
    }
  }

  /** A document as a workflow has it: pages, a field for a signature on the second. */
  private static Document form(int rotation) throws IOException {
    try (PDDocument document = new PDDocument();
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      for (int number = 0; number < 3; number++) {
        PDPage page = new PDPage(PDRectangle.A5);
        page.setRotation(rotation);
        document.addPage(page);
      }
      PDAcroForm form = new PDAcroForm(document);
      document.getDocumentCatalog().setAcroForm(form);
      for (String name : List.of("Tenant", "Unseen")) {
        PDSignatureField field = new PDSignatureField(form);
        field.setPartialName(name);
        PDAnnotationWidget widget = field.getWidgets().getFirst();
        widget.setRectangle(
            name.equals("Unseen") ? new PDRectangle() : new PDRectangle(100, 200, 180, 60));
        document.getPage(1).getAnnotations().add(widget);
        form.getFields().add(field);
      }
      document.save(out);
      return new Document("form.pdf", out.toByteArray());
    }
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
  void severalSignersFindTheNextFreePlaceAndLeaveTheCatalogAlone() throws Exception {
    Document pdf = Samples.pdf();
    List<String> names = List.of("Åsa Öberg", "Γιώργος Νικολάου", "Юрий Орлов", "Nguyễn Thị Lan");
    for (String name : names) {
      int before = pdf.content().length;
      pdf = sign(name, pdf, VisibleSignature.atFreePlace());
      assertThat(pdf.content().length - before)
          .as("24 kB for the signature, and the glyphs that are shown")
          .isLessThan(40_000);
    }

    assertThat(text(pdf)).contains(names);
    List<PDRectangle> fields = fields(pdf);
    assertThat(fields).hasSize(4);
    for (PDRectangle one : fields) {
      assertThat(fields.stream().filter(other -> intersect(one, other))).containsExactly(one);
    }
    try (PDDocument document = Loader.loadPDF(pdf.content())) {
      assertThat(document.getDocumentCatalog().getOutputIntents()).isEmpty();
    }
  }

  private static boolean intersect(PDRectangle one, PDRectangle other) {
    return one.getLowerLeftX() < other.getUpperRightX()
        && other.getLowerLeftX() < one.getUpperRightX()
        && one.getLowerLeftY() < other.getUpperRightY()
        && other.getLowerLeftY() < one.getUpperRightY();
  }

  /** PDFBox writes the first revision with a cross-reference stream, which is an object as well. */
  @Test
  void noObjectGetsTheNumberOfACrossReferenceStream() throws Exception {
    Document pdf = Samples.pdf();
    for (int signer = 0; signer < 2; signer++) {
      pdf = sign("Signer " + signer, pdf, VisibleSignature.atFreePlace());
    }
    String text = new String(pdf.content(), StandardCharsets.ISO_8859_1);
    List<String> streams =
        Pattern.compile("(\\d+) 0 obj\\s(?:(?!endobj).)*?/Type */XRef", Pattern.DOTALL)
            .matcher(text)
            .results()
            .map(stream -> stream.group(1))
            .toList();

    assertThat(streams).isNotEmpty();
    assertThat(Pattern.compile("(\\d+) 0 obj\\s").matcher(text).results().map(one -> one.group(1)))
        .filteredOn(streams::contains)
        .doesNotHaveDuplicates();
  }

  @Test
  void textIsNotCovered() throws Exception {
    Document pdf = Samples.pdf();
    // The contract's own words are at the top of the page.
    for (int signer = 0; signer < 7; signer++) {
      pdf = sign("Signer " + signer, pdf, VisibleSignature.atFreePlace());
    }
    assertThat(fields(pdf)).allSatisfy(field -> assertThat(field.getUpperRightY()).isLessThan(502));
  }

  @Test
  void aPageThatIsFullIsNamed() {
    VisibleSignature large = VisibleSignature.at(new SignaturePlace.Free(1, 300, 590));
    assertUnsuitable(large, Samples.pdf(), "page 1 has no free place of 300 by 590 points");
  }

  @Test
  void aFieldThatTheDocumentHasIsFilled() throws Exception {
    Document signed = sign("Åsa Öberg", form(0), VisibleSignature.inField("Tenant"));

    assertThat(fields(signed)).hasSize(2);
    assertThat(text(signed)).contains("Signed by Åsa Öberg");
    assertUnsuitable(VisibleSignature.inField("Tenant"), signed, "'Tenant' is signed already");
    assertUnsuitable(VisibleSignature.inField("Landlord"), signed, "no signature field 'Landlord'");
    assertUnsuitable(VisibleSignature.inField("Unseen"), signed, "'Unseen' has no size");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 90, 180, 270})
  void aTurnedPageShowsItUprightWhereItIsFree(int rotation) throws Exception {
    Document once = sign("Åsa Öberg", form(rotation), VisibleSignature.atFreePlace());
    Document twice = sign("Birger Jarl", once, VisibleSignature.atFreePlace());

    try (PDDocument document = Loader.loadPDF(twice.content())) {
      assertThat(document.getPage(2).getAnnotations()).hasSize(2);
      document.getDocumentCatalog().getAcroForm().flatten();
      PDFTextStripper stripper = new PDFTextStripper();
      stripper.setStartPage(3);
      assertThat(stripper.getText(document).lines())
          .anySatisfy(line -> assertThat(line).contains("Signed by Åsa Öberg"));
    }
    Tools tools = new Tools(directory);
    tools.write(twice);
    tools.get("pdftoppm", "-png", "-r", "72", "-f", "3", "-singlefile", twice.name(), "page");
    BufferedImage page = ImageIO.read(directory.resolve("page.png").toFile());
    // Lower left, whichever way the page is turned: in its margin paper, then the field.
    assertThat(page.getRGB(30, page.getHeight() - 60) & 0xffffff).isEqualTo(0xffffff);
    assertThat(page.getRGB(40, page.getHeight() - 60) & 0xffffff).isNotEqualTo(0xffffff);
  }

  @ParameterizedTest
  @CsvSource({"山, U+5C71", "ש, U+05E9", "م, U+0645", "😀, U+1F600"})
  void aCharacterThatCannotBeShownIsNamed(String character, String codePoint) {
    assertUnsuitable(
        VisibleSignature.atFreePlace().saying("Signed by " + character), Samples.pdf(), codePoint);
    DocumentSignRequest request =
        DocumentSignRequest.by(Signer.named(character))
            .document(DocumentToSign.pdf(Samples.pdf(), VisibleSignature.atFreePlace()))
            .build();
    assertThatThrownBy(() -> new KeywellDocumentSigner(client).sign(request))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining(codePoint);
    assertThat(service.openedActs()).isZero();
  }

  @Test
  void theCallersFontIsUsed() throws Exception {
    Document font;
    try (InputStream in = DSSFileFont.class.getResourceAsStream("/fonts/PTSerifRegular.ttf")) {
      font = new Document("PTSerif.ttf", Objects.requireNonNull(in).readAllBytes());
    }
    VisibleSignature visible = VisibleSignature.atFreePlace().withFont(font);
    Document signed = sign("Åsa Öberg", Samples.pdf(), visible);

    assertThat(text(signed)).contains("Signed by Åsa Öberg");
    assertThat(new String(signed.content(), StandardCharsets.ISO_8859_1)).contains("PTSerif");
    assertUnsuitable(visible.saying("Γιώργος"), Samples.pdf(), "PTSerif.ttf has no glyph");
    assertUnsuitable(
        visible.withFont(new Document("no.ttf", new byte[] {1, 2})), Samples.pdf(), "no.ttf");
  }

  @Test
  void aPlaceThatThereIsNotIsToldAndNothingIsAsked() {
    assertUnsuitable(VisibleSignature.onPage(1, 400, 420), Samples.pdf(), "outside the page");
    assertUnsuitable(VisibleSignature.onPage(7, 40, 420), Samples.pdf(), "no page 7");
    assertUnsuitable(VisibleSignature.onPage(-2, 40, 420), Samples.pdf(), "no page -2");
  }

  private void assertUnsuitable(VisibleSignature visible, Document pdf, String why) {
    int before = service.openedActs() + service.signedInOneCall().size();
    assertThatThrownBy(() -> sign("Åsa Öberg", pdf, visible))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining(why);
    assertThat(service.openedActs() + service.signedInOneCall().size()).isEqualTo(before);
  }
}
