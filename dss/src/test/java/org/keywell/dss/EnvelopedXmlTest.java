package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

class EnvelopedXmlTest {
  private static final Signer ASTRID = Signer.named("Astrid Lindgren");

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

  private Document sign(Document xml) throws Exception {
    return new KeywellDocumentSigner(client).sign(xml, DocumentFormat.XADES_ENVELOPED, ASTRID);
  }

  private static Document xml(String text, Charset charset) {
    return new Document("order.xml", text.getBytes(charset));
  }

  private List<VerifiedSignature> signatures(Document signed) {
    return DocumentVerification.trusting(List.of(service.root())).verify(signed).signatures();
  }

  /** The act's time is for signing: a large document takes DSS the better part of a minute. */
  @Test
  void aDocumentIsNotReadWhileTheActIsOpen() throws Exception {
    Document xml = Samples.xml();
    byte[] content = xml.content().clone();
    service.onOpen(() -> Arrays.fill(xml.content(), (byte) 0));
    service.onSign(() -> System.arraycopy(content, 0, xml.content(), 0, content.length));

    assertThat(signatures(sign(xml))).singleElement().matches(VerifiedSignature::passed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a/>",
        "\uFEFF<a>byte order mark</a>",
        "<?xml version='1.0'?><!-- one --><?two three?><a><!-- four -->&lt;<![CDATA[&]]></a><!-- 5"
            + " -->",
        "<a xmlns='urn:a' xmlns:b='urn:b' xml:lang='sv' xml:base='urn:c' b:d='1'><b:e"
            + " xmlns=''/></a>",
        "<ds:a xmlns:ds='urn:not-a-signature' xmlns:xades='urn:neither' Id='empty'>å\u5c71\r\n"
            + "\t</ds:a>"
      })
  void whateverIsAroundItTheSignatureIsGood(String text) throws Exception {
    Document once = sign(xml(text, StandardCharsets.UTF_8));
    assertThat(signatures(once)).singleElement().matches(VerifiedSignature::passed);

    Document twice = sign(once);
    assertThat(signatures(twice)).hasSize(2).allMatch(VerifiedSignature::passed);
  }

  @Test
  void otherEncodingsOfOneByteAreSigned() throws Exception {
    Document latin =
        xml("<?xml version='1.0' encoding='ISO-8859-1'?><a>Åsa</a>", StandardCharsets.ISO_8859_1);
    assertThat(signatures(sign(latin))).singleElement().matches(VerifiedSignature::passed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32"})
  void wideEncodingsAreNamedAndNothingIsAsked(String encoding) {
    Document wide =
        xml(
            "<?xml version='1.0' encoding='" + encoding + "'?><a>Åsa</a>",
            Charset.forName(encoding));
    assertUnsuitable(wide, "UTF-16 or UTF-32");
  }

  @Test
  void aDocumentTypeIsNamedAndNothingIsAsked() {
    assertUnsuitable(
        xml("<!-- x --><!DOCTYPE a SYSTEM 'file:///a.dtd'><a/>", StandardCharsets.UTF_8),
        "<!DOCTYPE");
  }

  @Test
  void whatIsNoXmlIsToldAndNothingIsAsked() {
    assertUnsuitable(xml("<a><b></a>", StandardCharsets.UTF_8), "order.xml cannot be signed");
    assertUnsuitable(xml("", StandardCharsets.UTF_8), "order.xml cannot be signed");
  }

  private void assertUnsuitable(Document xml, String why) {
    assertThatThrownBy(() -> sign(xml))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining(why);
    assertThat(service.openedActs()).isZero();
  }
}
