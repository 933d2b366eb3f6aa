package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** No key is spent for a document that cannot be signed. */
class RefusedBeforehandTest {
  private static StandInService service;
  private static KeywellClient client;

  @BeforeAll
  static void start() throws IOException {
    service = new StandInService();
    client = new KeywellClient(service.uri());
  }

  @AfterAll
  static void stop() {
    client.close();
    service.close();
  }

  private static Document signed(DocumentFormat format) throws Exception {
    return new KeywellDocumentSigner(client)
        .sign(Samples.of(format), format, Signer.named("Astrid Lindgren"));
  }

  private static Document text(String name, String content) {
    return new Document(name, content.getBytes(StandardCharsets.UTF_8));
  }

  static Stream<Arguments> documents() throws Exception {
    String compact = "eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl";
    return Stream.of(
        Arguments.of(DocumentFormat.JADES, text("empty.json", ""), "it is empty"),
        Arguments.of(DocumentFormat.JADES, text("compact.jws", compact), "compact serialization"),
        Arguments.of(DocumentFormat.JADES, text("detached.json", detached()), "payload"),
        Arguments.of(DocumentFormat.CADES_DETACHED, signed(DocumentFormat.CADES_DETACHED), ""),
        Arguments.of(DocumentFormat.CADES, signed(DocumentFormat.CADES_DETACHED), ""),
        Arguments.of(DocumentFormat.ASICE_XADES, text("mimetype", "text/plain"), "rename the file"),
        Arguments.of(DocumentFormat.ASICE_CADES, text("MimeType", "text/plain"), "rename the file"),
        Arguments.of(
            DocumentFormat.XADES_ENVELOPED,
            text("deep.xml", "<a>".repeat(5000) + "</a>".repeat(5000)),
            "jdk.xml.maxElementDepth"),
        Arguments.of(DocumentFormat.PADES, deepPages(), "it is nested too deeply"));
  }

  /** Its content is elsewhere. */
  private static String detached() throws Exception {
    return new String(signed(DocumentFormat.JADES).content(), StandardCharsets.UTF_8)
        .replaceFirst("\"payload\":\"[^\"]*\",", "");
  }

  /** Pages below so many nodes, object by object: PDFBox itself cannot write them. */
  private static Document deepPages() {
    int depth = 20_000;
    StringBuilder pdf = new StringBuilder("%PDF-1.7\n");
    List<Integer> offsets = new ArrayList<>();
    offsets.add(pdf.length());
    pdf.append("1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n");
    for (int number = 2; number < depth; number++) {
      offsets.add(pdf.length());
      pdf.append(number).append(" 0 obj\n<</Type/Pages/Count 1/Kids[").append(number + 1);
      pdf.append(" 0 R]");
      if (number > 2) {
        pdf.append("/Parent ").append(number - 1).append(" 0 R");
      }
      pdf.append(">>\nendobj\n");
    }
    offsets.add(pdf.length());
    pdf.append(depth).append(" 0 obj\n<</Type/Page/MediaBox[0 0 100 100]/Parent ");
    pdf.append(depth - 1).append(" 0 R>>\nendobj\n");
    int table = pdf.length();
    pdf.append("xref\n0 ").append(depth + 1).append("\n0000000000 65535 f \n");
    offsets.forEach(offset -> pdf.append(String.format(Locale.ROOT, "%010d 00000 n \n", offset)));
    pdf.append("trailer\n<</Root 1 0 R/Size ").append(depth + 1).append(">>\nstartxref\n");
    pdf.append(table).append("\n%%EOF\n");
    return text("deep.pdf", pdf.toString());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void beforeTheServiceIsCalled(DocumentFormat format, Document document, String reason) {
    try (KeywellClient unreachable = new KeywellClient(URI.create("http://127.0.0.1:1/"))) {
      assertThatThrownBy(() ->
              new KeywellDocumentSigner(unreachable)
                  .sign(document, format, Signer.named("Astrid Lindgren")))
          .isInstanceOf(UnsuitableDocumentException.class)
          .hasMessageContaining(reason);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatCanBeSignedIs(DocumentFormat format) throws Exception {
    assertThat(signed(format).content()).isNotEmpty();
  }
}
