package org.keywell.identity.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.identity.saml.TrustedProvider.context;
import static org.keywell.identity.saml.TrustedProvider.proofs;
import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.STRANGER;
import static org.keywell.testkit.saml.TestIdentityProvider.assertion;
import static org.keywell.testkit.saml.TestIdentityProvider.response;
import static org.keywell.testkit.saml.TestIdentityProvider.signed;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dom.DOMStructure;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.DigestMethod;
import javax.xml.crypto.dsig.SignatureMethod;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.spec.XPathFilterParameterSpec;
import javax.xml.crypto.dsig.spec.XSLTTransformParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.identity.ProofRefusal;
import org.keywell.testkit.saml.Xml;
import org.keywell.testkit.saml.XmlSigning;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Signatures that are not the provider's, or not of the one form that is taken. */
final class ForgedSignatureTest {

  private static final Transform ENVELOPED = XmlSigning.transform(Transform.ENVELOPED);
  private static final Transform EXCLUSIVE = XmlSigning.transform(CanonicalizationMethod.EXCLUSIVE);

  private final SamlProofs proofs = proofs(RSA);

  @Test
  void noSignature() {
    refused(Xml.parse(assertion()));
  }

  @Test
  void anUnsignedAssertionInASignedResponse() {
    Document response = response(Xml.parse(assertion()));
    XmlSigning.by(RSA).sign(response.getDocumentElement());

    refused(response);
  }

  @Test
  void ofTheResponseAlthoughItStandsInTheAssertion() {
    Document response = response(Xml.parse(assertion()));
    XmlSigning.by(RSA).sign(Xml.first(response, "Assertion"), "#_response1");

    refused(response);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "#xpointer(/)", "#xpointer(id('_assertion1'))"})
  void ofItByAnotherNameThanItsId(String uri) {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA).sign(document.getDocumentElement(), uri);

    refusedFor(document, "another element");
  }

  @Test
  void whatItSaysOfItsKeyIsNotRead() {
    Document document = signed(assertion());
    Element data = document.createElementNS(XMLSignature.XMLNS, "ds:X509Data");
    Element certificate = document.createElementNS(XMLSignature.XMLNS, "ds:X509Certificate");
    certificate.setTextContent("AAAA");
    data.appendChild(certificate);
    Element keyInfo = Xml.first(document, "KeyInfo");
    keyInfo.replaceChild(data, keyInfo.getFirstChild());

    assertThat(proofs.verify(Xml.ticket(document), context()).reference()).isEqualTo("_assertion1");
  }

  @Test
  void withASecondReference() {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA).sign(document.getDocumentElement(), "#_assertion1", "#_assertion1");

    refused(document);
  }

  @Test
  void byAnotherKeyWhichItBrings() {
    Document document = Xml.parse(assertion());
    XmlSigning.by(STRANGER).sign(document.getDocumentElement());
    assertThat(Xml.first(document, "KeyValue")).isNotNull();

    refused(document);
  }

  @Test
  void alteredAfterwards() {
    Document document = signed(assertion());
    Xml.all(document, "AttributeValue", 1).setTextContent("Mallory Exempel");

    refused(document);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SignatureMethod.RSA_SHA1,
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha224",
        "http://www.w3.org/2007/05/xmldsig-more#sha1-rsa-MGF1"
      })
  void byAnAlgorithmThatIsNotTaken(String algorithm) {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA).algorithm(RSA.getPrivate(), algorithm).sign(document.getDocumentElement());

    refusedFor(document, "accepted");
  }

  @ParameterizedTest
  @ValueSource(strings = {DigestMethod.SHA1, "http://www.w3.org/2001/04/xmldsig-more#sha224"})
  void overADigestThatIsNotTaken(String digest) {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA).digest(digest).sign(document.getDocumentElement());

    refusedFor(document, "accepted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SignatureMethod.SHA256_RSA_MGF1,
        SignatureMethod.RSA_SHA384,
        SignatureMethod.RSA_SHA512
      })
  void othersAreTaken(String algorithm) {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA)
        .algorithm(RSA.getPrivate(), algorithm)
        .digest(DigestMethod.SHA512)
        .sign(document.getDocumentElement());

    assertThat(proofs.verify(Xml.ticket(document), context()).reference()).isEqualTo("_assertion1");
  }

  @Test
  void hmacWithThePublicKey() {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA)
        .algorithm(
            new SecretKeySpec(RSA.getPublic().getEncoded(), "HmacSHA256"),
            SignatureMethod.HMAC_SHA256)
        .sign(document.getDocumentElement());

    refusedFor(document, "accepted");
  }

  static Stream<List<Transform>> otherTransforms() throws Exception {
    Element stylesheet =
        Xml.parse(
                """
                <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
                <xsl:template match="/"><x/></xsl:template></xsl:stylesheet>
                """)
            .getDocumentElement();
    return Stream.of(
        List.of(ENVELOPED),
        List.of(EXCLUSIVE, ENVELOPED),
        List.of(ENVELOPED, EXCLUSIVE, EXCLUSIVE),
        List.of(ENVELOPED, XmlSigning.transform(CanonicalizationMethod.INCLUSIVE)),
        List.of(ENVELOPED, XmlSigning.transform(CanonicalizationMethod.EXCLUSIVE_WITH_COMMENTS)),
        List.of(
            XmlSigning.FACTORY.newTransform(
                Transform.XPATH, new XPathFilterParameterSpec("not(ancestor-or-self::*)")),
            EXCLUSIVE),
        List.of(
            ENVELOPED,
            XmlSigning.FACTORY.newTransform(
                Transform.XSLT, new XSLTTransformParameterSpec(new DOMStructure(stylesheet)))));
  }

  @ParameterizedTest
  @MethodSource("otherTransforms")
  void overSomethingThatWasTransformed(List<Transform> transforms) {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA)
        .transforms(transforms.toArray(Transform[]::new))
        .sign(document.getDocumentElement());

    refused(document);
  }

  /** An assertion cannot be signed through it: its markup is no base64. It is refused by name. */
  @Test
  void overWhatItsBase64Says() {
    Document document = signed(assertion());
    Xml.all(document, "Transform", 1).setAttribute("Algorithm", Transform.BASE64);

    refusedFor(document, "other transforms");
  }

  @Test
  void canonicalizedOtherwise() {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA)
        .canonicalization(CanonicalizationMethod.INCLUSIVE)
        .sign(document.getDocumentElement());

    refused(document);
  }

  @Test
  void withAnObject() {
    Document document = signed(assertion());
    Element object = document.createElementNS(XMLSignature.XMLNS, "ds:Object");
    object.setTextContent("anything");
    Xml.first(document, "Signature").appendChild(object);

    refused(document);
  }

  @Test
  void byAKeyOfItsMetadataThatIsTooShort() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    KeyPair weak = generator.generateKeyPair();
    Document document = Xml.parse(assertion());
    XmlSigning.by(weak).sign(document.getDocumentElement());

    Refusals.assertRefused(proofs(RSA, weak), Xml.ticket(document), ProofRefusal.UNTRUSTED);
    Refusals.assertRefused(proofs(weak), Xml.ticket(document), ProofRefusal.PROVIDER_UNAVAILABLE);
  }

  @Test
  void theSameIdTwice() {
    Document response = response(signed(assertion()));
    response.getDocumentElement().setAttribute("ID", "_assertion1");

    Refusals.assertRefused(proofs, Xml.ticket(response), ProofRefusal.MALFORMED);
  }

  @Test
  void twoSignedAssertions() {
    Document response = response(signed(assertion()));
    Document second = signed(assertion().replace("_assertion1", "_assertion2"));
    response
        .getDocumentElement()
        .appendChild(response.importNode(second.getDocumentElement(), true));

    Refusals.assertRefused(proofs, Xml.ticket(response), ProofRefusal.MALFORMED);
  }

  private void refusedFor(Document document, String detail) {
    refused(document);
    assertThatThrownBy(() -> proofs.verify(Xml.ticket(document), context()))
        .hasMessageContaining(detail);
  }

  private void refused(Document document) {
    Refusals.assertRefused(proofs, Xml.ticket(document), ProofRefusal.UNTRUSTED);
  }
}
