package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSDocument;
import org.apache.pdfbox.cos.COSInteger;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSObject;
import org.apache.pdfbox.cos.COSObjectKey;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** What a signature changes in a PDF, object by object. */
class PdfRevisionsTest {
  private static StandInService service;
  private static KeywellDocumentSigner signer;
  private static KeywellClient client;

  @BeforeAll
  static void start() throws Exception {
    service = new StandInService();
    client = new KeywellClient(service.uri());
    signer = new KeywellDocumentSigner(client);
  }

  @AfterAll
  static void stop() {
    client.close();
    service.close();
  }

  static Stream<Document> documents() throws Exception {
    return Stream.concat(
        Stream.of(
                "chromium.pdf",
                "direct-extensions.pdf",
                "fpdf2.pdf",
                "hybrid.pdf",
                "hybrid-one-section.pdf",
                "link-without-type.pdf",
                "mupdf.pdf",
                "qpdf-linearized.pdf",
                "qpdf-object-streams.pdf",
                "reportlab.pdf")
            .map(PdfRevisionsTest::resource),
        Stream.of(
            changed("direct link.pdf", PdfRevisionsTest::addDirectLink),
            changed("catalog.pdf", PdfRevisionsTest::fillCatalog)));
  }

  private static Document resource(String name) {
    try (InputStream in = PdfRevisionsTest.class.getResourceAsStream("pdf/" + name)) {
      return new Document(name, Objects.requireNonNull(in, name).readAllBytes());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Document changed(String name, Consumer<PDDocument> change) throws IOException {
    try (PDDocument document = Loader.loadPDF(Samples.pdf().content());
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      change.accept(document);
      document.save(out);
      return new Document(name, out.toByteArray());
    }
  }

  private static COSDictionary direct(COSName key, COSBase value) {
    COSDictionary dictionary = new COSDictionary();
    dictionary.setItem(key, value);
    dictionary.setDirect(true);
    return dictionary;
  }

  private static void addDirectLink(PDDocument document) {
    COSDictionary link = direct(COSName.SUBTYPE, COSName.getPDFName("Link"));
    link.setItem(
        COSName.RECT, new COSArray(List.of(COSInteger.ONE, COSInteger.ONE, COSInteger.TWO)));
    COSArray annotations = new COSArray();
    annotations.add(link);
    document.getPage(0).getCOSObject().setItem(COSName.ANNOTS, annotations);
  }

  private static void fillCatalog(PDDocument document) {
    COSDictionary catalog = document.getDocumentCatalog().getCOSObject();
    catalog.setItem(
        COSName.getPDFName("ViewerPreferences"),
        direct(COSName.getPDFName("DisplayDocTitle"), COSInteger.ONE));
    catalog.setItem(
        COSName.ACRO_FORM, direct(COSName.DR, direct(COSName.FONT, new COSDictionary())));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void nothingElseChanges(Document original) throws Exception {
    Document once = sign(DocumentToSign.of(original, DocumentFormat.PADES));
    requireOnlySignature(original, once);
    requireOnlySignature(once, sign(DocumentToSign.pdf(once, VisibleSignature.atFreePlace())));
    requireOnlySignature(
        original, sign(DocumentToSign.pdf(original, VisibleSignature.atFreePlace())));
  }

  private static Document sign(DocumentToSign document) throws Exception {
    return signer
        .sign(DocumentSignRequest.by(Signer.named("Astrid Lindgren")).document(document).build())
        .document();
  }

  private static void requireOnlySignature(Document before, Document after) throws IOException {
    try (PDDocument earlier = Loader.loadPDF(before.content());
        PDDocument later = Loader.loadPDF(after.content())) {
      COSDocument objects = earlier.getDocument();
      COSDictionary catalog = earlier.getDocumentCatalog().getCOSObject();
      for (COSObjectKey key : objects.getXrefTable().keySet()) {
        COSBase was = objects.getObjectFromPool(key).getObject();
        COSBase is = later.getDocument().getObjectFromPool(key).getObject();
        Set<String> mayDiffer = new HashSet<>();
        if (catalog.equals(was)) {
          mayDiffer.add("AcroForm");
          if (!catalog.containsKey("Extensions")) {
            mayDiffer.add("Extensions");
          }
        } else if (was != null && was.equals(catalog.getDictionaryObject(COSName.ACRO_FORM))) {
          mayDiffer.addAll(Set.of("Fields", "SigFlags", "DR"));
        } else if (was instanceof COSDictionary page
            && COSName.PAGE.equals(page.getCOSName(COSName.TYPE))) {
          mayDiffer.add("Annots");
          assertThat(text(((COSDictionary) is).getDictionaryObject(COSName.ANNOTS), Set.of()))
              .startsWith(
                  page.containsKey(COSName.ANNOTS)
                      ? withoutEnd(text(page.getDictionaryObject(COSName.ANNOTS), Set.of()))
                      : "");
        }
        assertThat(text(is, mayDiffer)).as("%s %s", after, key).isEqualTo(text(was, mayDiffer));
      }
    }
  }

  private static String withoutEnd(String array) {
    return array.substring(0, array.length() - 1);
  }

  /** References stay references, and what is direct stays direct. */
  private static String text(COSBase object, Set<String> without) {
    return switch (object) {
      case null -> "null";
      case COSObject reference -> reference.getKey() + " R";
      case COSArray array -> {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < array.size(); i++) {
          text.append(text(array.get(i), Set.of())).append(' ');
        }
        yield text.append("]").toString();
      }
      case COSDictionary dictionary -> {
        TreeMap<String, String> entries = new TreeMap<>();
        dictionary.forEach((name, value) -> {
          if (!without.contains(name.getName())) {
            entries.put(name.getName(), text(value, Set.of()));
          }
        });
        yield entries + (dictionary instanceof COSStream stream ? " " + stream.getLength() : "");
      }
      default -> object.toString();
    };
  }

  @Test
  void aCrossReferenceStreamListsItself() throws Exception {
    Document signed =
        sign(DocumentToSign.of(resource("qpdf-object-streams.pdf"), DocumentFormat.PADES));
    try (PDDocument document = Loader.loadPDF(signed.content())) {
      long highest =
          document.getDocument().getXrefTable().keySet().stream()
              .mapToLong(COSObjectKey::getNumber)
              .max()
              .orElseThrow();
      assertThat(document.getDocument().isXRefStream()).isTrue();
      assertThat(document.getDocument().getTrailer().getLong(COSName.SIZE)).isEqualTo(highest + 1);
    }
  }

  @Test
  void aCertifiedDocumentShowsNoNewSignature() throws Exception {
    Document certified =
        changed(
            "certified.pdf",
            document ->
                document
                    .getDocumentCatalog()
                    .getCOSObject()
                    .setItem(COSName.PERMS, direct(COSName.DOCMDP, new COSDictionary())));

    assertThatThrownBy(() -> sign(DocumentToSign.pdf(certified, VisibleSignature.atFreePlace())))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining("it is certified");
    assertThat(sign(DocumentToSign.of(certified, DocumentFormat.PADES)).content()).isNotEmpty();
  }
}
