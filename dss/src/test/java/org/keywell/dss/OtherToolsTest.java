package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Programs that know nothing of DSS accept what was signed, and refuse it with one byte changed.
 */
class OtherToolsTest {
  private static StandInService service;
  private static KeywellClient client;

  @TempDir private Path directory;
  private Tools tools;

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

  @BeforeEach
  void writeRoot() throws IOException {
    tools = new Tools(directory);
    tools.write("root.pem", service.root());
  }

  private static SignedDocuments sign(DocumentFormat format, Key key) throws Exception {
    return new KeywellDocumentSigner(client)
        .sign(key.request().document(Samples.of(format), format).build());
  }

  private static Tampered tampered(DocumentFormat format, Document signed) throws IOException {
    return Tampered.of(format, signed, Samples.of(format));
  }

  @ParameterizedTest
  @EnumSource
  void pdfsig(Key key) throws Exception {
    Document signed = sign(DocumentFormat.PADES, key).document();

    assertThat(pdfsig(signed))
        .contains("Signature Validation: Signature is Valid.")
        .contains("Signature Type: ETSI.CAdES.detached")
        .contains("Total document signed")
        .contains("Signer Certificate Common Name: Astrid Lindgren");
    assertThat(pdfsig(tampered(DocumentFormat.PADES, signed).signed()))
        .contains("Signature Validation: Digest Mismatch.");
  }

  private String pdfsig(Document signed) throws Exception {
    return tools.get("pdfsig", "-nocert", tools.write(signed));
  }

  @ParameterizedTest
  @EnumSource
  void opensslOnCms(Key key) throws Exception {
    Document signed = sign(DocumentFormat.CADES, key).document();

    assertThat(openssl(signed).text()).contains(Samples.SENTENCE).contains("successful");
    assertThat(openssl(tampered(DocumentFormat.CADES, signed).signed()).status()).isNotZero();
  }

  @ParameterizedTest
  @EnumSource
  void opensslOnDetachedCms(Key key) throws Exception {
    Document signed = sign(DocumentFormat.CADES_DETACHED, key).document();
    String content = tools.write(Samples.text());

    assertThat(openssl(signed, "-content", content).text()).contains("successful");
    tools.write(tampered(DocumentFormat.CADES_DETACHED, signed).content());
    assertThat(openssl(signed, "-content", content).status()).isNotZero();
  }

  /** With what makes CMS CAdES: the certificate has to be the one that is signed. */
  private Tools.Said openssl(Document signed, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "openssl",
                "cms",
                "-verify",
                "-cades",
                "-binary",
                "-inform",
                "DER",
                "-in",
                tools.write(signed),
                "-CAfile",
                "root.pem"));
    command.addAll(List.of(more));
    return tools.run(command.toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource(names = "RSA_PSS", mode = EnumSource.Mode.EXCLUDE)
  void xmlsec(Key key) throws Exception {
    for (DocumentFormat format :
        List.of(DocumentFormat.XADES_ENVELOPED, DocumentFormat.XADES_ENVELOPING)) {
      Document signed = sign(format, key).document();

      assertThat(xmlsec(signed).status()).isZero();
      assertThat(xmlsec(tampered(format, signed).signed()).status()).isNotZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = "RSA_PSS", mode = EnumSource.Mode.EXCLUDE)
  void xmlsecOnDetachedXml(Key key) throws Exception {
    Document signed = sign(DocumentFormat.XADES_DETACHED, key).document();
    tools.write(Samples.text());

    assertThat(xmlsec(signed).status()).isZero();
    tools.write(tampered(DocumentFormat.XADES_DETACHED, signed).content());
    assertThat(xmlsec(signed).status()).isNotZero();
  }

  @ParameterizedTest
  @EnumSource(names = "RSA_PSS", mode = EnumSource.Mode.EXCLUDE)
  void xmlsecOnContainer(Key key) throws Exception {
    Document signed = sign(DocumentFormat.ASICE_XADES, key).document();
    Document signature = Zip.entry(signed, "META-INF/signatures001.xml");
    tools.write(Zip.entry(signed, "contract.txt"));

    assertThat(xmlsec(signature).status()).isZero();
    tools.write(Zip.entry(tampered(DocumentFormat.ASICE_XADES, signed).signed(), "contract.txt"));
    assertThat(xmlsec(signature).status()).isNotZero();
  }

  private Tools.Said xmlsec(Document signed) throws Exception {
    return tools.run(
        "xmlsec1",
        "--verify",
        "--trusted-pem",
        "root.pem",
        "--id-attr:Id",
        "http://uri.etsi.org/01903/v1.3.2#:SignedProperties",
        "--id-attr:Id",
        "http://www.w3.org/2000/09/xmldsig#:Object",
        tools.write(signed));
  }

  /** xmlsec1 has no RSASSA-PSS before its 1.3 ({@link RsaPssXmlIT}); the JDK's own has. */
  @ParameterizedTest
  @EnumSource
  void xmlSignatureOfTheJdk(Key key) throws Exception {
    SignedDocuments signed = sign(DocumentFormat.XADES_ENVELOPED, key);
    PublicKey publicKey = signed.certificateChain().getFirst().getPublicKey();
    Document tampered = tampered(DocumentFormat.XADES_ENVELOPED, signed.document()).signed();

    assertThat(jdkAccepts(signed.document(), publicKey)).isTrue();
    assertThat(jdkAccepts(tampered, publicKey)).isFalse();
  }

  private static boolean jdkAccepts(Document signed, PublicKey key) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    org.w3c.dom.Document document =
        factory.newDocumentBuilder().parse(new ByteArrayInputStream(signed.content()));
    DOMValidateContext context =
        new DOMValidateContext(
            key, document.getElementsByTagNameNS(XMLSignature.XMLNS, "Signature").item(0));
    NodeList properties = document.getElementsByTagNameNS("*", "SignedProperties");
    context.setIdAttributeNS((Element) properties.item(0), null, "Id");
    return XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context).validate(context);
  }

  /** By RFC 7515, section 5.2, and the JDK's signatures. */
  @ParameterizedTest
  @EnumSource
  void jws(Key key) throws Exception {
    SignedDocuments signed = sign(DocumentFormat.JADES, key);
    PublicKey publicKey = signed.certificateChain().getFirst().getPublicKey();
    Document tampered = tampered(DocumentFormat.JADES, signed.document()).signed();

    assertThat(jwsVerifies(signed.document(), key, publicKey)).isTrue();
    assertThat(jwsVerifies(tampered, key, publicKey)).isFalse();
  }

  /** The first signer's JSON Web Signature is flattened, and a list from the second on. */
  @ParameterizedTest
  @EnumSource
  void jwsOfTwoSigners(Key key) throws Exception {
    SignedDocuments first = sign(DocumentFormat.JADES, Key.EC);
    SignedDocuments second =
        new KeywellDocumentSigner(client)
            .sign(key.request().document(first.document(), DocumentFormat.JADES).build());

    JsonNode jws = JsonMapper.shared().readTree(second.document().content());
    JsonNode payload = jws.get("payload");
    JsonNode signatures = jws.get("signatures");
    assertThat(payload)
        .isEqualTo(JsonMapper.shared().readTree(first.document().content()).get("payload"));
    assertThat(signatures).hasSize(2);
    PublicKey one = first.certificateChain().getFirst().getPublicKey();
    PublicKey other = second.certificateChain().getFirst().getPublicKey();
    assertThat(jwsVerifies(signatures.get(0), payload, Key.EC, one)).isTrue();
    assertThat(jwsVerifies(signatures.get(1), payload, key, other)).isTrue();
    assertThat(jwsVerifies(signatures.get(1), signatures.get(0).get("protected"), key, other))
        .isFalse();
    VerifiedDocument verified =
        DocumentVerification.trusting(List.of(service.root())).verify(second.document());
    assertThat(verified.signatures()).hasSize(2);
    assertThat(verified.passed()).isTrue();
  }

  private static boolean jwsVerifies(Document signed, Key key, PublicKey publicKey)
      throws Exception {
    JsonNode jws = JsonMapper.shared().readTree(signed.content());
    return jwsVerifies(jws, jws.get("payload"), key, publicKey);
  }

  private static boolean jwsVerifies(JsonNode jws, JsonNode payload, Key key, PublicKey publicKey)
      throws Exception {
    String input = jws.get("protected").stringValue() + "." + payload.stringValue();
    Signature signature =
        switch (key) {
          case RSA -> Signature.getInstance("SHA256withRSA");
          case RSA_PSS -> Signature.getInstance("RSASSA-PSS");
          case EC -> Signature.getInstance("SHA256withECDSAinP1363Format");
        };
    if (key == Key.RSA_PSS) {
      signature.setParameter(
          new PSSParameterSpec(
              "SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, PSSParameterSpec.TRAILER_FIELD_BC));
    }
    signature.initVerify(publicKey);
    signature.update(input.getBytes(StandardCharsets.US_ASCII));
    return signature.verify(Base64.getUrlDecoder().decode(jws.get("signature").stringValue()));
  }
}
