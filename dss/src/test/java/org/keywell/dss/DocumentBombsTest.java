package org.keywell.dss;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** Documents that unpack to more than there is room for: each ends with a reason. */
@Timeout(120)
final class DocumentBombsTest {
  private static final int HEAP = 128;
  private static final int MIB = 1 << 20;

  @ParameterizedTest
  @ValueSource(strings = {"4 0 obj", "5 0 obj"})
  @Tag("process")
  void whatDoesNotFitIntoMemoryIsRefused(String object) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx" + HEAP + "m",
                "-cp",
                System.getProperty("java.class.path"),
                SmallProgram.class.getName(),
                object)
            .redirectErrorStream(true)
            .start();
    List<String> told = process.inputReader().lines().toList();

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(told)
        .contains("sign: bomb.pdf cannot be signed as PADES: " + Excess.of(new OutOfMemoryError()))
        .contains("verify: " + Excess.of(new OutOfMemoryError()));
    assertThat(process.exitValue()).isZero();
  }

  /** An application with little memory. */
  static final class SmallProgram {
    private SmallProgram() {}

    public static void main(String[] arguments) throws Exception {
      Document bomb = pdf(arguments[0]);
      System.out.println(
          "verify: " + DocumentVerification.trusting(List.of()).verify(bomb).unreadable());
      try (KeywellClient unreachable = new KeywellClient(URI.create("http://127.0.0.1:1/"))) {
        var _ =
            new KeywellDocumentSigner(unreachable)
                .sign(bomb, DocumentFormat.PADES, Signer.named("Astrid Lindgren"));
      } catch (UnsuitableDocumentException e) {
        System.out.println("sign: " + e.getMessage());
      }
    }
  }

  @Test
  void aContainerThatUnpacksToMuchMoreIsNotRead() throws Exception {
    assertThat(unreadable(container("content.bin"))).contains("Zip Bomb");
    assertThat(unreadable(container("META-INF/signatures.xml"))).contains("Zip Bomb");
  }

  @Test
  void entitiesAreNotExpanded() {
    String xml =
        "<!DOCTYPE a [<!ENTITY b \"%s\"><!ENTITY c \"%s\">]><a>&c;</a>"
            .formatted("b".repeat(100), "&b;".repeat(100));
    assertThat(unreadable(new Document("a.xml", xml.getBytes(ISO_8859_1)))).contains("DOCTYPE");
  }

  @Test
  void compressedCmsIsNotUnpacked() {
    byte[] cms = HexFormat.of().parseHex("3010060b2a864886f70d0109100109a0020500");
    assertThat(unreadable(new Document("a.p7m", cms))).isNotEmpty();
  }

  private static String unreadable(Document document) {
    VerifiedDocument verified = DocumentVerification.trusting(List.of()).verify(document);
    assertThat(verified.signatures()).isEmpty();
    return String.valueOf(verified.unreadable());
  }

  private static Document container(String bomb) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("mimetype"));
      zip.write("application/vnd.etsi.asic-e+zip".getBytes(ISO_8859_1));
      zip.putNextEntry(new ZipEntry(bomb));
      for (int i = 0; i < HEAP; i++) {
        zip.write(new byte[MIB]);
      }
    }
    return new Document("bomb.asice", bytes.toByteArray());
  }

  /** A PDF as PDFBox writes it, one of whose streams unpacks to twice the heap. */
  private static Document pdf(String object) throws IOException {
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    try (PDDocument document = new PDDocument()) {
      document.addPage(new PDPage());
      document.save(saved);
    }
    String text = saved.toString(ISO_8859_1);
    int start = text.indexOf(object);
    int stream = text.indexOf("stream", start);
    int data = text.indexOf('\n', stream) + 1;
    int end = text.indexOf("endstream", data);
    byte[] packed = text.substring(data, end).getBytes(ISO_8859_1);
    String large =
        deflated(new InflaterInputStream(new ByteArrayInputStream(packed)).readAllBytes());
    String changed =
        text.substring(0, start)
            + text.substring(start, stream)
                .replaceFirst("/Length \\d+", "/Length " + large.length())
            + text.substring(stream, data)
            + large
            + "\n"
            + text.substring(end);
    String whole =
        changed.substring(0, changed.lastIndexOf("startxref"))
            + "startxref\n%d\n%%%%EOF\n".formatted(changed.indexOf("\n5 0 obj") + 1);
    return new Document("bomb.pdf", whole.getBytes(ISO_8859_1));
  }

  private static String deflated(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    byte[] spaces = new byte[MIB];
    Arrays.fill(spaces, (byte) ' ');
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed, new Deflater(9))) {
      out.write(content);
      for (int i = 0; i < 2 * HEAP; i++) {
        out.write(spaces);
      }
    }
    return packed.toString(ISO_8859_1);
  }
}
