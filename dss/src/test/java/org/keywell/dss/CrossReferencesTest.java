package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.Deflater;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CrossReferencesTest {

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = CrossReferencesTest.class.getResourceAsStream("pdf/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** As PDFBox writes a revision when nobody helps it. */
  private static byte[] revisedByPdfBox(byte[] pdf) throws IOException {
    try (PDDocument document = Loader.loadPDF(pdf);
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      document.getPage(0).getCOSObject().setNeedToBeUpdated(true);
      document.saveIncremental(out);
      return out.toByteArray();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "chromium.pdf, 1",
    "direct-extensions.pdf, 2",
    "fpdf2.pdf, 1",
    "hybrid.pdf, 2",
    "hybrid-one-section.pdf, 1",
    "link-without-type.pdf, 2",
    "mupdf.pdf, 2",
    "qpdf-linearized.pdf, 2",
    "qpdf-object-streams.pdf, 1",
    "qpdf-password.pdf, 1",
    "reportlab.pdf, 1",
  })
  void whatOthersMakeIsFound(String name, int sections) throws Exception {
    CrossReferences read = CrossReferences.of(resource(name));

    assertThat(read.faults()).isEmpty();
    assertThat(read.isSizeRight()).isTrue();
    assertThat(read.sections()).hasSize(sections);
  }

  /** No reader opens the result: the section before is at 0. */
  @Test
  void aRevisionBehindManyBytesDoesNotFindTheOneBefore() throws Exception {
    byte[] pdf = Samples.pdf().content();
    byte[] tail = Arrays.copyOf(pdf, pdf.length + 2040);
    byte[] revised = revisedByPdfBox(tail);

    assertThat(latin(revised)).contains("/Prev 0");
    assertThatThrownBy(() -> CrossReferences.requireAdded(tail, revised))
        .hasMessageContaining("there is no cross-reference section at 0");
  }

  @Test
  void aStreamThatDoesNotListItselfStatesAWrongNumberOfObjects() throws Exception {
    byte[] pdf = resource("qpdf-object-streams.pdf");
    byte[] revised = revisedByPdfBox(pdf);

    assertThat(CrossReferences.of(revised).faults()).isEmpty();
    assertThatThrownBy(() -> CrossReferences.requireAdded(pdf, revised))
        .hasMessageContaining("wrong number of objects");
  }

  @Test
  void anEarlierRevisionThatIsLeftOutIsMissed() {
    byte[] pdf = Samples.pdf().content();
    String text = latin(pdf);
    byte[] other = latin(text + text.substring(text.lastIndexOf("startxref")));

    assertThatThrownBy(() -> CrossReferences.requireAdded(pdf, other))
        .hasMessageContaining("earlier revisions");
  }

  @ParameterizedTest
  @CsvSource({
    "/XRefStm 522, /XRefStm 523, no cross-reference section",
    "0000000015 00000 n, 0000000016 00000 n, object 1 is not where",
    "0000000015 00000 n, 0000000015 00001 n, object 1 is not where",
    "0000000015 00000 n, 0000000015 00000 x, no f",
    "/Prev 652, /Prev 895, do not end",
    "/Prev 652, /Prev 650, no cross-reference section at 650",
  })
  void whatIsWrongIsNamed(String right, String wrong, String named) throws Exception {
    String pdf = latin(resource("hybrid.pdf"));
    assertThat(pdf).contains(right);

    assertThat(CrossReferences.of(latin(pdf.replace(right, wrong))).faults())
        .anySatisfy(fault -> assertThat(fault).contains(named));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void eachPngFilterIsUndone(int filter) throws Exception {
    byte[] rows = {0, 0, 0, (byte) 255, 1, 0, 9, 0, 1, 1, 0, 0};
    ByteArrayOutputStream filtered = new ByteArrayOutputStream();
    byte[] above = new byte[4];
    for (int row = 0; row < rows.length; row += 4) {
      byte[] now = Arrays.copyOfRange(rows, row, row + 4);
      filtered.write(filter);
      for (int i = 0; i < 4; i++) {
        int left = i == 0 ? 0 : now[i - 1] & 0xFF;
        int corner = i == 0 ? 0 : above[i - 1] & 0xFF;
        filtered.write(now[i] - prediction(filter, left, above[i] & 0xFF, corner));
      }
      above = now;
    }
    try (PngRows undone =
        new PngRows(new java.io.ByteArrayInputStream(filtered.toByteArray()), 4)) {
      assertThat(undone.readAllBytes()).isEqualTo(rows);
    }
  }

  private static int prediction(int filter, int left, int up, int corner) {
    int estimate = left + up - corner;
    int toLeft = Math.abs(estimate - left);
    int toUp = Math.abs(estimate - up);
    int toCorner = Math.abs(estimate - corner);
    int nearest = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
    return new int[] {0, left, up, (left + up) / 2, nearest}[filter];
  }

  /** A few bytes list any number of objects. */
  @ParameterizedTest
  @ValueSource(strings = {"/W [0 0 0]", "/W [1 8 8]", "/W [99 99 99]", "/W [-1 0 0]", "/W []"})
  void aLongListEnds(String widths) throws Exception {
    Deflater deflater = new Deflater();
    deflater.setInput(new byte[50_000_000]);
    deflater.finish();
    byte[] packed = new byte[60_000];
    int length = deflater.deflate(packed);
    deflater.end();
    ByteArrayOutputStream pdf = new ByteArrayOutputStream();
    pdf.write(
        latin(
            "1 0 obj <</Type/XRef/Filter/FlateDecode/Size 99999999999 %s>>stream\n"
                .formatted(widths)));
    pdf.write(packed, 0, length);
    pdf.write(latin("\nendstream endobj startxref 0 %%EOF"));

    assertThat(CrossReferences.of(pdf.toByteArray()).faults()).hasSize(1);
  }
}
