package org.keywell.identity.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.testkit.saml.TestIdentityProvider.EC;
import static org.keywell.testkit.saml.TestIdentityProvider.ENTITY_ID;
import static org.keywell.testkit.saml.TestIdentityProvider.FEDERATION;
import static org.keywell.testkit.saml.TestIdentityProvider.NOW;
import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.STRANGER;
import static org.keywell.testkit.saml.TestIdentityProvider.metadata;
import static org.keywell.testkit.saml.TestIdentityProvider.signedMetadata;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.keywell.identity.ProofRefusal;
import org.keywell.testkit.saml.Xml;
import org.keywell.testkit.saml.XmlSigning;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

final class MetadataReaderTest {

  private static final SamlDocuments DOCUMENTS = new SamlDocuments(SamlSchema.load());

  private final MetadataReader reader =
      new MetadataReader(DOCUMENTS, FEDERATION.getPublic(), Set.of(ENTITY_ID));

  @Test
  void findsTheSigningKeysOfAProvider() {
    SamlMetadata read = read(signedMetadata(metadata(RSA, EC)));

    assertThat(read.validUntil()).isEqualTo("2026-03-08T00:00:00Z");
    assertThat(read.cacheDuration()).contains(Duration.ofMinutes(30));
    assertThat(read.providers()).containsOnlyKeys(ENTITY_ID);
    assertThat(read.providers().get(ENTITY_ID).signingKeys())
        .containsExactly(RSA.getPublic(), EC.getPublic());
  }

  @Test
  void anEntityAloneWillDo() {
    String entity =
        metadata(RSA)
            .replaceAll("(?s)^.*?(<md:EntityDescriptor .*?</md:EntityDescriptor>).*$", "$1")
            .replace(
                "<md:EntityDescriptor ",
                "<md:EntityDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\""
                    + " xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\" ID=\"_e\""
                    + " validUntil=\"2026-03-08T00:00:00Z\" ");

    assertThat(read(signedMetadata(entity)).providers().get(ENTITY_ID).signingKeys())
        .containsExactly(RSA.getPublic());
  }

  @Test
  void anEntityMayEndEarlierThanItsGroup() {
    String ending =
        metadata(RSA)
            .replace(
                "entityID=\"https://idp",
                "validUntil=\"2026-03-02T00:00:00Z\" entityID=\"https://idp");

    assertThat(read(signedMetadata(ending)).providers().get(ENTITY_ID).validUntil())
        .isEqualTo("2026-03-02T00:00:00Z");
  }

  @Test
  void aKeyForEncryptionIsNoSigningKey() {
    String mixed = metadata(RSA, EC).replaceFirst("use=\"signing\"", "use=\"encryption\"");

    assertThat(read(signedMetadata(mixed)).providers().get(ENTITY_ID).signingKeys())
        .containsExactly(EC.getPublic());
  }

  @Test
  void aRoleOfAnotherProtocolIsNone() {
    String older =
        metadata(RSA)
            .replace("SAML:2.0:protocol\">\n      <md:Key", "SAML:1.1:protocol\">\n      <md:Key");
    assertThat(older).isNotEqualTo(metadata(RSA));

    assertThat(read(signedMetadata(older)).providers().get(ENTITY_ID).signingKeys()).isEmpty();
  }

  @Test
  void unsignedItIsRefused() {
    refused(metadata(RSA), ProofRefusal.UNTRUSTED);
  }

  @Test
  void alteredItIsRefused() {
    refused(
        signedMetadata(metadata(RSA)).replace("https://portal.example/acs", "https://evil.example"),
        ProofRefusal.UNTRUSTED);
  }

  @Test
  void signedByAnotherItIsRefused() {
    Document document = Xml.parse(metadata(STRANGER));
    XmlSigning.by(STRANGER).sign(document.getDocumentElement());

    refused(Xml.text(document), ProofRefusal.UNTRUSTED);
  }

  @Test
  void onlyTheWholeMayBeSigned() {
    Document document = Xml.parse(metadata(RSA));
    Element entity = Xml.first(document, "EntityDescriptor");
    entity.setAttribute("ID", "_entity");
    XmlSigning.by(FEDERATION).sign(entity);

    refused(Xml.text(document), ProofRefusal.UNTRUSTED);
  }

  @Test
  void expiredItIsRefused() {
    refused(
        signedMetadata(metadata(RSA).replace("2026-03-08T00:00:00Z", "2026-03-01T12:00:00Z")),
        ProofRefusal.NOT_VALID_NOW);
  }

  @Test
  void withoutAnEndItIsRefused() {
    refused(
        signedMetadata(metadata(RSA).replace("validUntil=\"2026-03-08T00:00:00Z\"", "")),
        ProofRefusal.MALFORMED);
  }

  @Test
  void aProviderTwiceIsRefused() {
    refused(
        signedMetadata(
            metadata(RSA).replace("https://portal.example/sp", "https://idp.example/saml")),
        ProofRefusal.MALFORMED);
  }

  @Test
  void aDocumentTypeIsRefused() {
    refused("<!DOCTYPE a>" + signedMetadata(metadata(RSA)), ProofRefusal.MALFORMED);
  }

  private SamlMetadata read(String xml) {
    return reader.read(xml.getBytes(StandardCharsets.UTF_8), NOW);
  }

  private void refused(String xml, ProofRefusal reason) {
    Refusals.assertRefused(() -> read(xml), reason);
  }
}
