package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationWidget;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDSignatureField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.Digest;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** What other programs put into PDFs, and readers make of it. */
class PdfOfOthersTest {
  private StandInService service;
  private KeywellClient client;

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

  private Document sign(Document pdf, VisibleSignature visible) throws Exception {
    return sign(pdf, visible, Digest.SHA_256);
  }

  private Document sign(Document pdf, VisibleSignature visible, Digest digest) throws Exception {
    return new KeywellDocumentSigner(client)
        .sign(
            DocumentSignRequest.by(Signer.named("Åsa Öberg"))
                .document(DocumentToSign.pdf(pdf, visible))
                .digest(digest)
                .build())
        .document();
  }

  private VerifiedDocument verify(Document signed) {
    return DocumentVerification.trusting(List.of(service.root())).verify(signed);
  }

  private static Document pdf(Consumer<PDDocument> change) throws IOException {
    try (PDDocument document = new PDDocument();
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      document.addPage(new PDPage(new PDRectangle(50, 60, 600, 800)));
      change.accept(document);
      document.save(out);
      return new Document("others.pdf", out.toByteArray());
    }
  }

  private static PDRectangle shownField(Document signed) throws IOException {
    try (PDDocument document = Loader.loadPDF(signed.content())) {
      return document.getSignatureFields().getLast().getWidgets().getFirst().getRectangle();
    }
  }

  private static PDSignatureField field(PDDocument document) {
    try {
      PDAcroForm form = new PDAcroForm(document);
      document.getDocumentCatalog().setAcroForm(form);
      PDSignatureField field = new PDSignatureField(form);
      PDAnnotationWidget widget = field.getWidgets().getFirst();
      widget.setRectangle(new PDRectangle(100, 200, 180, 60));
      document.getPage(0).getAnnotations().add(widget);
      form.getFields().add(field);
      return field;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Readers display the crop box alone. */
  @ParameterizedTest
  @ValueSource(ints = {0, 90, 180, 270})
  void aVisibleSignatureLiesInTheCropBox(int rotation) throws Exception {
    PDRectangle crop = new PDRectangle(170, 230, 300, 350);
    Document pdf =
        pdf(document -> {
          document.getPage(0).setCropBox(crop);
          document.getPage(0).setRotation(rotation);
        });

    PDRectangle free = shownField(sign(pdf, VisibleSignature.atFreePlace()));
    assertThat(crop.contains(free.getLowerLeftX(), free.getLowerLeftY())).isTrue();
    assertThat(crop.contains(free.getUpperRightX(), free.getUpperRightY())).isTrue();

    PDRectangle corner = shownField(sign(pdf, VisibleSignature.onPage(1, 0, 0)));
    float x = rotation == 0 || rotation == 90 ? crop.getLowerLeftX() : crop.getUpperRightX();
    float y = rotation == 0 || rotation == 270 ? crop.getUpperRightY() : crop.getLowerLeftY();
    assertThat(List.of(corner.getLowerLeftX(), corner.getUpperRightX())).contains(x);
    assertThat(List.of(corner.getLowerLeftY(), corner.getUpperRightY())).contains(y);

    assertThatThrownBy(() -> sign(pdf, VisibleSignature.onPage(1, 250, 0)))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining("cannot lie outside the page: page 1 shows");
  }

  /** Two pictures of this page are 1.6 GB. */
  @Test
  void aHugePageIsNotDrawn() throws Exception {
    Document pdf =
        pdf(document -> document.getPage(0).setMediaBox(new PDRectangle(14_400, 14_400)));

    assertThat(verify(sign(pdf, VisibleSignature.atFreePlace())).passed()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "1, Filter, Entrust.PPKEF, handler",
    "2, SubFilter, adbe.pkcs7.detached, format",
    "64, DigestMethod, SHA512, digest algorithm",
    "8, Reasons, I agree, a reason",
    "16, LegalAttestation, none, a legal attestation",
    "32, AddRevInfo, true, revocation information",
    "128, LockDocument, auto, a locked document",
    "256, AppearanceFilter, Seal, an appearance",
  })
  void whatAFieldRequiresIsHeld(int flag, String key, String value, String told) throws Exception {
    Document pdf = pdf(document -> seed(field(document), flag, key, value));

    assertThatThrownBy(() -> sign(pdf, VisibleSignature.inField("Signature1")))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining("the signature field 'Signature1' requires")
        .hasMessageContaining(told);
    assertThat(service.signedInOneCall()).isEmpty();
    assertThat(service.openedActs()).isZero();
    Document wish = pdf(document -> seed(field(document), 0, key, value));
    assertThat(verify(sign(wish, VisibleSignature.inField("Signature1"))).passed()).isTrue();
  }

  @Test
  void aRequirementThatIsMetIsNoHindrance() throws Exception {
    Document pdf = pdf(document -> seed(field(document), 64, "DigestMethod", "SHA512"));

    assertThat(verify(sign(pdf, VisibleSignature.inField("Signature1"), Digest.SHA_512)).passed())
        .isTrue();
  }

  private static void seed(PDSignatureField field, int flags, String key, String value) {
    COSDictionary seed = new COSDictionary();
    seed.setInt("Ff", flags);
    COSName name = COSName.getPDFName(key);
    switch (key) {
      case "Filter", "LockDocument" -> seed.setName(name, value);
      case "SubFilter" -> seed.setItem(name, list(COSName.getPDFName(value)));
      case "AppearanceFilter" -> seed.setString(name, value);
      case "AddRevInfo" -> seed.setBoolean(name, true);
      default -> seed.setItem(name, list(new COSString(value)));
    }
    field.getCOSObject().setItem("SV", seed);
  }

  private static COSArray list(COSBase one) {
    COSArray list = new COSArray();
    list.add(one);
    return list;
  }

  @Test
  void readersThatDrawFieldsAnewAreToldOf() throws Exception {
    Document pdf =
        pdf(document -> {
          field(document);
          document.getDocumentCatalog().getAcroForm().setNeedAppearances(true);
        });

    VerifiedDocument shown = verify(sign(pdf, VisibleSignature.atFreePlace()));

    assertThat(shown.passed()).isTrue();
    assertThat(shown.hint()).contains("/NeedAppearances");
    assertThat(verify(sign(pdf(document -> {}), VisibleSignature.atFreePlace())).hint()).isNull();
  }

  @Test
  void encryptedByAes256ItIsSignedTwice() throws Exception {
    Document pdf =
        pdf(document -> {
          StandardProtectionPolicy policy =
              new StandardProtectionPolicy("owner", "", new AccessPermission());
          policy.setEncryptionKeyLength(256);
          try {
            document.protect(policy);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });

    Document twice =
        sign(sign(pdf, VisibleSignature.atFreePlace()), VisibleSignature.atFreePlace());

    VerifiedDocument verified = verify(twice);
    assertThat(verified.signatures()).hasSize(2);
    assertThat(verified.passed()).isTrue();
  }
}
