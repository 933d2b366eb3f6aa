package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

class WholePdfTest {
  private static final String END = "%%EOF";

  private static boolean whole(byte[] content) {
    try {
      WholePdf.require(new Document("any.pdf", content));
      return true;
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("it is not a whole PDF");
      return false;
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = WholePdfTest.class.getResourceAsStream("pdf/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static byte[] signed() throws Exception {
    try (StandInService service = new StandInService();
        KeywellClient client = new KeywellClient(service.uri())) {
      return new KeywellDocumentSigner(client)
          .sign(Samples.pdf(), DocumentFormat.PADES, Signer.named("Astrid Lindgren"))
          .content();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "chromium.pdf",
        "fpdf2.pdf",
        "qpdf-linearized.pdf",
        "qpdf-object-streams.pdf",
        "reportlab.pdf"
      })
  void whatOthersMakeIsWholeAndNoPartOfIt(String name) throws Exception {
    byte[] pdf = resource(name);
    assertThat(whole(pdf)).isTrue();

    int afterEnd = end(pdf);
    for (int length = 0; length < afterEnd; length++) {
      assertThat(whole(Arrays.copyOf(pdf, length))).as("%s to %d", name, length).isFalse();
    }
  }

  @Test
  void furtherRevisionsAreWhole() throws Exception {
    assertThat(whole(Samples.pdf().content())).isTrue();
    assertThat(whole(signed())).isTrue();
    assertThat(whole(resource("mupdf.pdf"))).as("two revisions").isTrue();
  }

  /** What is left then is a whole earlier revision, and less than the first object of the next. */
  @Test
  void ofARevisionThatIsCutOffNoObjectIsThere() throws Exception {
    byte[] first = Samples.pdf().content();
    byte[] second = signed();
    Random random = new Random(20261123);
    List<Integer> lengths = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      lengths.add(random.nextInt(second.length - 2));
    }
    for (int length = first.length; length < first.length + 40; length++) {
      lengths.add(length);
    }
    for (int length : lengths) {
      if (whole(Arrays.copyOf(second, length))) {
        assertThat(length).isBetween(end(first), end(first) + 10);
      }
    }
  }

  @Test
  void bytesBehindTheEndAreFine() {
    byte[] pdf = Samples.pdf().content();
    for (String rest :
        List.of("\r\n\r\n", "\0".repeat(5000), "<!-- sent by a mail gateway -->\n")) {
      assertThat(whole(join(pdf, rest.getBytes(StandardCharsets.US_ASCII)))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1024, 1025, 2040, 5000, 100_000})
  void whatIsSignedStaysWholeWithBytesBehindTheEnd(int bytes) throws Exception {
    byte[] pdf = join(Samples.pdf().content(), new byte[bytes]);
    try (StandInService service = new StandInService();
        KeywellClient client = new KeywellClient(service.uri())) {
      byte[] signed =
          new KeywellDocumentSigner(client)
              .sign(
                  new Document("tail.pdf", pdf),
                  DocumentFormat.PADES,
                  Signer.named("Astrid Lindgren"))
              .content();

      assertThat(whole(signed)).isTrue();
      assertThat(new String(signed, StandardCharsets.ISO_8859_1)).doesNotContain("/Prev 0");
    }
  }

  /** PDFBox leaves the page's font out, other readers search the file for it. */
  @Test
  void anObjectThatIsNotWhereItsTableSaysIsNoWholePdf() throws Exception {
    String pdf = new String(resource("reportlab.pdf"), StandardCharsets.ISO_8859_1);
    assertThat(pdf.indexOf("2 0 obj\n<<\n/BaseFont")).isEqualTo(92);
    String wrong = pdf.replace("0000000092 00000 n", "0000000097 00000 n");

    assertThat(whole(wrong.getBytes(StandardCharsets.ISO_8859_1))).isFalse();
  }

  @Test
  void aHoleIsNoWholePdf() {
    byte[] pdf = Samples.pdf().content();
    byte[] hole =
        join(
            Arrays.copyOf(pdf, pdf.length / 3),
            Arrays.copyOfRange(pdf, pdf.length / 2, pdf.length));
    assertThat(whole(hole)).isFalse();
  }

  private static byte[] join(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  private static int end(byte[] pdf) {
    return new String(pdf, StandardCharsets.ISO_8859_1).lastIndexOf(END) + END.length();
  }
}
