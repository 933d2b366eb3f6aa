package org.keywell.identity.saml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.identity.saml.TrustedProvider.context;
import static org.keywell.identity.saml.TrustedProvider.proofs;
import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.assertion;
import static org.keywell.testkit.saml.TestIdentityProvider.signed;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.identity.ProofRefusal;
import org.keywell.testkit.saml.Xml;

/**
 * XML that means to do something while it is read. Nothing is fetched, and nothing of it is read.
 */
@Timeout(20)
final class HostileDocumentTest {

  private final SamlProofs proofs = proofs(RSA);
  private final AtomicInteger fetched = new AtomicInteger();
  private HttpServer server;
  private String address;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          fetched.incrementAndGet();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    address = "http://127.0.0.1:" + server.getAddress().getPort() + "/x";
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void anEntityOfAFile(@TempDir Path directory) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "Mallory Exempel");
    refused(
        "<!DOCTYPE a [<!ENTITY e SYSTEM \""
            + secret.toUri()
            + "\">]>"
            + Xml.text(signed(assertion())).replace("Astrid Exempel", "&e;"));
  }

  @Test
  void anEntityOfTheNetwork() {
    refused(
        "<!DOCTYPE a [<!ENTITY e SYSTEM \""
            + address
            + "\">]>"
            + Xml.text(signed(assertion())).replace("Astrid Exempel", "&e;"));
  }

  @Test
  void aParameterEntityOfTheNetwork() {
    refused(
        "<!DOCTYPE a [<!ENTITY % e SYSTEM \""
            + address
            + "\"> %e;]>"
            + Xml.text(signed(assertion())));
  }

  @Test
  void aDocumentTypeOfTheNetwork() {
    refused("<!DOCTYPE a SYSTEM \"" + address + "\">" + Xml.text(signed(assertion())));
  }

  @Test
  void aDocumentTypeAlone() {
    refused("<!DOCTYPE a>" + Xml.text(signed(assertion())));
  }

  @Test
  void aBombOfEntities() {
    StringBuilder bomb = new StringBuilder("<!DOCTYPE a [<!ENTITY e0 \"boom\">");
    for (int i = 1; i < 30; i++) {
      bomb.append("<!ENTITY e%d \"&e%d;&e%d;&e%d;\">".formatted(i, i - 1, i - 1, i - 1));
    }
    refused(bomb + "]>" + Xml.text(signed(assertion())).replace("Astrid Exempel", "&e29;"));
  }

  @Test
  void anEntityThatNobodyHasDeclared() {
    refused(Xml.text(signed(assertion())).replace("Astrid Exempel", "&e;"));
  }

  @Test
  void anInclusionIsNoneOfTheSchema() {
    refused(
        Xml.text(signed(assertion()))
            .replace(
                "<saml2:Subject>",
                "<saml2:Subject><xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\""
                    + address
                    + "\"/>"));
  }

  @Test
  void aSchemaElsewhereIsNotLookedFor() {
    String hinted =
        assertion()
            .replace(
                "IssueInstant=",
                "xsi:schemaLocation=\"urn:oasis:names:tc:SAML:2.0:assertion %s\" IssueInstant="
                    .formatted(address));

    assertThat(proofs.verify(Xml.ticket(signed(hinted)), context()).reference())
        .isEqualTo("_assertion1");
    assertThat(fetched).hasValue(0);
  }

  @Test
  void aStylesheetIsNotApplied() {
    String styled =
        "<?xml-stylesheet type=\"text/xsl\" href=\"%s\"?>".formatted(address)
            + Xml.text(signed(assertion()));

    assertThat(proofs.verify(Xml.ticket(styled), context()).reference()).isEqualTo("_assertion1");
    assertThat(fetched).hasValue(0);
  }

  /** Canonical XML leaves comments out, so the signature is valid. */
  @ParameterizedTest
  @ValueSource(
      strings = {"Astrid Exempel", "197001011234", "https://idp.example/saml<", "a-pseudonym"})
  void aCommentInAText(String text) {
    String genuine = Xml.text(signed(assertion()));
    for (String comment : List.of("<!---->", "<!-- Mallory -->")) {
      String commented = genuine.replace(text, text.charAt(0) + comment + text.substring(1));
      assertThat(commented).isNotEqualTo(genuine);

      refused(commented);
    }
  }

  @Test
  void aCommentBetweenElements() {
    refused(Xml.text(signed(assertion())).replace("<saml2:Subject>", "<!-- --><saml2:Subject>"));
  }

  /** An account of one's own whose name goes on: read up to the comment it were the victim's. */
  @Test
  void aNameThatIsCutByAComment() {
    String longer = assertion().replace("Astrid Exempel", "Astrid Exempel Mallory");

    refused(Xml.text(signed(longer)).replace("Exempel Mallory", "Exempel<!-- --> Mallory"));
  }

  @Test
  void aProcessingInstructionInAValueIsRefused() {
    String signed =
        Xml.text(signed(assertion().replace("Astrid Exempel", "Astrid<?cut here?> Exempel")));

    refused(signed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<", "no XML", "<a/>", "<Assertion/>", "\0", "<a xmlns='x'></b>"})
  void whatIsNoTicket(String xml) {
    refused(xml);
  }

  @ParameterizedTest
  @ValueSource(strings = {"!", "PGEv\nPg==", "PGEvPg", " PGEvPg=="})
  void whatIsNoBase64(String ticket) {
    Refusals.assertRefused(proofs, ticket, ProofRefusal.MALFORMED);
  }

  @Test
  void bytesOfNoEncoding() {
    byte[] xml = "<?xml version='1.0' encoding='UTF-8'?><a>\u00ff</a>".getBytes(UTF_8);
    xml[xml.length - 5] = (byte) 0xff;
    Refusals.assertRefused(proofs, Base64.getEncoder().encodeToString(xml), ProofRefusal.MALFORMED);
    refused("<?xml version='1.0' encoding='no-such'?><a/>");
  }

  @Test
  void depthAndBreadthWithoutEnd() {
    refused("<a>".repeat(100_000) + "</a>".repeat(100_000));
    StringBuilder attributes = new StringBuilder("<a");
    for (int i = 0; i < 10_000; i++) {
      attributes.append(" a%d=''".formatted(i));
    }
    refused(attributes + "/>");
  }

  @Test
  void aMegabyte() {
    long begun = System.nanoTime();
    refused(assertion().replace("Astrid", "A".repeat(1024 * 1024)));
    refused(
        Xml.text(signed(assertion()))
            .replace("<saml2:Subject>", "<saml2:Subject>" + "<b/>".repeat(256 * 1024)));
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
  }

  private void refused(String xml) {
    try {
      proofs.verify(Xml.ticket(xml), context());
    } catch (org.keywell.identity.ProofRefusedException e) {
      assertThat(e.reason()).isIn(ProofRefusal.MALFORMED, ProofRefusal.UNTRUSTED);
      assertThat(e.detail()).doesNotContain("Mallory", "Astrid", "boom");
      assertThat(fetched).hasValue(0);
      return;
    }
    throw new AssertionError("nothing was refused");
  }
}
