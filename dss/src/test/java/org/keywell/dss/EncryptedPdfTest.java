package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.standin.PublishingCa;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** PDFs that a password opens. */
class EncryptedPdfTest {
  private static final String USER = "user's";
  private static final String OWNER = "owner's";

  @TempDir private Path directory;
  private PublishingCa ca;
  private StandInService service;
  private KeywellClient client;

  @BeforeEach
  void start() throws Exception {
    ca = new PublishingCa();
    service = new StandInService(ca);
    ca.unit(Duration.ofDays(365)).serve(service);
    client = new KeywellClient(service.uri());
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
    ca.close();
  }

  private static Document encrypted(int bits, AccessPermission permission) throws IOException {
    try (PDDocument document = Loader.loadPDF(Samples.pdf().content());
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      StandardProtectionPolicy policy = new StandardProtectionPolicy(OWNER, USER, permission);
      policy.setEncryptionKeyLength(bits);
      policy.setPreferAES(true);
      document.protect(policy);
      document.save(out);
      return new Document("secret.pdf", out.toByteArray());
    }
  }

  private static Document encrypted(int bits) throws IOException {
    return encrypted(bits, new AccessPermission());
  }

  private Document sign(DocumentToSign document) throws Exception {
    return new KeywellDocumentSigner(client)
        .sign(DocumentSignRequest.by(Signer.named("Astrid Lindgren")).document(document).build())
        .document();
  }

  private VerifiedDocument verify(Document signed) {
    return DocumentVerification.trusting(List.of(ca.root())).verify(signed);
  }

  private void requireNothingAsked() {
    assertThat(service.signedInOneCall()).isEmpty();
    assertThat(service.openedActs()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"256, user's", "256, owner's", "128, user's", "128, owner's"})
  void itStaysEncryptedAndIsSignedTwice(int bits, String password) throws Exception {
    Document pdf = encrypted(bits).withPassword(password);

    Document once = sign(DocumentToSign.of(pdf, DocumentFormat.PADES));
    Document twice = sign(DocumentToSign.pdf(once, VisibleSignature.atFreePlace()));

    assertThatThrownBy(() -> Loader.loadPDF(twice.content()).close())
        .isInstanceOf(InvalidPasswordException.class);
    for (String opening : List.of(USER, OWNER)) {
      VerifiedDocument verified = verify(twice.withPassword(opening));
      assertThat(verified.signatures()).hasSize(2);
      assertThat(verified.passed()).isTrue();
    }
    Tools tools = new Tools(directory);
    assertThat(tools.get("pdfsig", "-nocert", "-upw", USER, tools.write(twice)))
        .containsSubsequence(
            "Signature #1:", "Signature is Valid.", "Signature #2:", "Signature is Valid.");
    try (PDDocument document = Loader.loadPDF(twice.content(), USER)) {
      int[] range = document.getLastSignatureDictionary().getByteRange();
      assertThat(range[2] + range[3]).isEqualTo(twice.content().length);
    }
  }

  @Test
  void itReachesLevelLtaAndIsExtended() throws Exception {
    ValidationSources sources = ValidationSources.trusting(List.of(ca.root()));
    Document signed =
        KeywellDocumentSigner.withTimestampsOfTheService(client)
            .extendingTo(BaselineLevel.LTA, sources)
            .sign(
                DocumentSignRequest.by(Signer.named("Astrid Lindgren"))
                    .document(encrypted(256).withPassword(USER), DocumentFormat.PADES)
                    .build())
            .document();
    assertThat(verify(signed).signatures().getFirst().level()).isEqualTo("PAdES-BASELINE-LTA");

    Document extended =
        DocumentExtender.withTimestampsOf(client, sources).extend(signed, BaselineLevel.LTA);

    assertThat(extended.content()).hasSizeGreaterThan(signed.content().length);
    assertThat(verify(extended).passed()).isTrue();
    assertThatThrownBy(() ->
            DocumentExtender.withTimestampsOf(client, sources)
                .extend(new Document("secret.pdf", signed.content()), BaselineLevel.LTA))
        .isInstanceOf(DocumentExtensionException.class)
        .hasMessageContaining("password");
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 256})
  void withoutItsPasswordNoKeyIsSpent(int bits) throws Exception {
    Document pdf = encrypted(bits);

    for (DocumentToSign without :
        List.of(
            DocumentToSign.of(pdf, DocumentFormat.PADES),
            DocumentToSign.pdf(pdf, VisibleSignature.atFreePlace()))) {
      assertThatThrownBy(() -> sign(without))
          .isInstanceOf(UnsuitableDocumentException.class)
          .hasMessageContaining("its password is not given")
          .hasCauseInstanceOf(PasswordException.class);
    }
    assertThatThrownBy(
            () -> sign(DocumentToSign.of(pdf.withPassword("guessed"), DocumentFormat.PADES)))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining("the password does not open it")
        .hasMessageNotContaining("guessed")
        .hasCauseInstanceOf(PasswordException.class);
    requireNothingAsked();
    assertThat(pdf.withPassword("guessed").toString()).doesNotContain("guessed");
  }

  /** The owner may do all. */
  @Test
  void whatTheUserMayNotChangeIsNotSignedByThem() throws Exception {
    AccessPermission readOnly = new AccessPermission();
    readOnly.setCanModify(false);
    readOnly.setCanModifyAnnotations(false);
    readOnly.setCanFillInForm(false);
    Document pdf = encrypted(256, readOnly);

    assertThatThrownBy(() -> sign(DocumentToSign.of(pdf.withPassword(USER), DocumentFormat.PADES)))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining("not permitted");
    requireNothingAsked();
    assertThat(
            verify(sign(DocumentToSign.of(pdf.withPassword(OWNER), DocumentFormat.PADES))).passed())
        .isTrue();
  }
}
