package org.keywell.service.identity.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.service.identity.saml.TestIdentityProvider.RSA;
import static org.keywell.service.identity.saml.TestIdentityProvider.assertion;
import static org.keywell.service.identity.saml.TestIdentityProvider.context;
import static org.keywell.service.identity.saml.TestIdentityProvider.proofs;
import static org.keywell.service.identity.saml.TestIdentityProvider.response;
import static org.keywell.service.identity.saml.TestIdentityProvider.signed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.keywell.service.identity.ProofRefusal;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A genuine signature is left valid, and somebody else's assertion is put where it will be read:
 * the eight variants of Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be" (USENIX
 * Security 2012), as they are numbered by the SAML Raider, and some more of the kind.
 */
final class SignatureWrappingTest {

  private final SamlProofs proofs = proofs(RSA);

  private static final List<Wrapping> WRAPPINGS =
      List.of(
          new Wrapping("XSW1", true, SignatureWrappingTest::originalResponseIntoSignature),
          new Wrapping("XSW2", true, SignatureWrappingTest::originalResponseBesideSignature),
          new Wrapping("XSW3", false, SignatureWrappingTest::forgedBeforeOriginal),
          new Wrapping("XSW4", false, SignatureWrappingTest::originalIntoForged),
          new Wrapping("XSW5", false, SignatureWrappingTest::originalBehindForged),
          new Wrapping("XSW6", false, response -> intoSignature(response, false)),
          new Wrapping("XSW7", false, SignatureWrappingTest::forgedIntoExtensions),
          new Wrapping("XSW8", false, response -> intoSignature(response, true)),
          new Wrapping("in advice", false, SignatureWrappingTest::originalIntoAdvice),
          new Wrapping("in key info", false, SignatureWrappingTest::originalIntoKeyInfo),
          new Wrapping("in confirmation", false, SignatureWrappingTest::originalIntoConfirmation),
          new Wrapping("in a value", false, SignatureWrappingTest::originalIntoValue));

  /** Leaves the signed element somewhere, and a forged assertion for the reader. */
  private record Wrapping(String name, boolean ofResponse, Consumer<Document> wrap) {

    Document attack() {
      Document response = response(signed(assertion()));
      if (ofResponse) {
        Element assertion = original(response);
        assertion.removeChild(Xml.first(assertion, "Signature"));
        XmlSigning.by(RSA).sign(response.getDocumentElement());
      }
      wrap.accept(response);
      // As it travels: what was moved about in memory is read anew.
      return Xml.parse(Xml.text(response));
    }
  }

  /** The attacks by name; the genuine assertion in each is signed, and its times are long past. */
  static Map<String, Document> attacks() {
    Map<String, Document> attacks = new LinkedHashMap<>();
    WRAPPINGS.forEach(wrapping -> attacks.put(wrapping.name(), wrapping.attack()));
    return attacks;
  }

  @TestFactory
  Stream<DynamicTest> eachIsRefusedAlthoughItsSignatureIsValid() {
    return WRAPPINGS.stream()
        .map(wrapping ->
            DynamicTest.dynamicTest(
                wrapping.name(),
                () -> {
                  Document attack = wrapping.attack();
                  assertThat(Xml.text(attack)).contains("Mallory Exempel", "Astrid Exempel");
                  // XSW6 has it where the JDK takes nothing but keys and objects.
                  assertThat(isValidForTheCareless(attack))
                      .isEqualTo(!wrapping.name().equals("XSW6"));

                  Refusals.assertRefused(proofs, Xml.ticket(attack), ProofRefusal.MALFORMED);
                }));
  }

  @Test
  void theSignatureIsTiedToItsElementByItself() {
    Set<String> keepTheSignature = Set.of("XSW5", "XSW6", "XSW8", "in key info");
    for (Wrapping wrapping : WRAPPINGS) {
      if (!keepTheSignature.contains(wrapping.name())) {
        continue;
      }
      Document attack = wrapping.attack();
      SamlElement forged = new SamlElement(Xml.first(attack, "Assertion"));
      assertThat(forged.required("ID")).isEqualTo("_forged");

      Refusals.assertRefused(
          () -> EnvelopedSignature.verify(forged, List.of(RSA.getPublic())),
          ProofRefusal.UNTRUSTED);
    }
  }

  @Test
  void withoutTheForgeryTheOriginalIsTaken() {
    Document response = response(signed(assertion()));

    assertThat(isValidForTheCareless(response)).isTrue();
    assertThat(proofs.verify(Xml.ticket(response), context()).reference()).isEqualTo("_assertion1");
  }

  /** As a verifier does that takes any signature and lets any ID be meant. */
  private static boolean isValidForTheCareless(Document document) {
    try {
      Document copy = Xml.parse(Xml.text(document));
      DOMValidateContext context =
          new DOMValidateContext(RSA.getPublic(), Xml.first(copy, "Signature"));
      XmlSigning.registerIds(copy.getDocumentElement(), context);
      XMLSignature signature = XmlSigning.FACTORY.unmarshalXMLSignature(context);
      return signature.validate(context);
    } catch (MarshalException e) {
      return false;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Element original(Document response) {
    return Xml.first(response, "Assertion");
  }

  /** A copy that speaks of somebody else, without signature. */
  private static Element forged(Document response) {
    Element copy = (Element) original(response).cloneNode(true);
    if (copy.getElementsByTagNameNS(XMLSignature.XMLNS, "Signature").getLength() > 0) {
      copy.removeChild(Xml.first(copy, "Signature"));
    }
    return forge(copy);
  }

  private static Element forge(Element assertion) {
    assertion.setAttribute("ID", "_forged");
    Xml.all(assertion, "AttributeValue", 1).setTextContent("Mallory Exempel");
    return assertion;
  }

  private static void originalResponseIntoSignature(Document document) {
    Element root = document.getDocumentElement();
    Element original = (Element) root.cloneNode(true);
    Element signature = Xml.first(root, "Signature");
    original.removeChild(Xml.first(original, "Signature"));
    Element object = document.createElementNS(XMLSignature.XMLNS, "ds:Object");
    object.appendChild(original);
    signature.appendChild(object);
    root.setAttribute("ID", "_forged_response");
    forge(assertionOf(root));
  }

  private static void originalResponseBesideSignature(Document document) {
    Element root = document.getDocumentElement();
    Element original = (Element) root.cloneNode(true);
    original.removeChild(Xml.first(original, "Signature"));
    Element extensions = extensions(document);
    extensions.appendChild(original);
    root.insertBefore(extensions, Xml.first(root, "Status"));
    root.setAttribute("ID", "_forged_response");
    forge(assertionOf(root));
  }

  /** Of the response itself. */
  private static Element assertionOf(Element root) {
    return new SamlElement(root).child(SamlNames.ASSERTION_NS, "Assertion").dom();
  }

  private static void originalIntoForged(Document response) {
    Element original = original(response);
    Element forged = forged(response);
    original.getParentNode().replaceChild(forged, original);
    forged.appendChild(original);
  }

  /** The signature stays with the forged assertion; what it is of goes to the end. */
  private static void originalBehindForged(Document response) {
    Element forged = original(response);
    Element copy = (Element) forged.cloneNode(true);
    copy.removeChild(Xml.first(copy, "Signature"));
    forge(forged);
    forged.getParentNode().appendChild(copy);
  }

  private static void intoSignature(Document response, boolean object) {
    Element forged = original(response);
    Element copy = (Element) forged.cloneNode(true);
    copy.removeChild(Xml.first(copy, "Signature"));
    forge(forged);
    Element signature = Xml.first(forged, "Signature");
    if (object) {
      Element wrapper = response.createElementNS(XMLSignature.XMLNS, "ds:Object");
      wrapper.appendChild(copy);
      signature.appendChild(wrapper);
    } else {
      signature.appendChild(copy);
    }
  }

  private static void originalIntoAdvice(Document response) {
    Element original = original(response);
    Element forged = forged(response);
    original.getParentNode().replaceChild(forged, original);
    Element advice = response.createElementNS(SamlNames.ASSERTION_NS, "saml2:Advice");
    advice.appendChild(original);
    forged.insertBefore(advice, Xml.first(forged, "AuthnStatement"));
  }

  private static void originalIntoKeyInfo(Document response) {
    Element forged = original(response);
    Element copy = (Element) forged.cloneNode(true);
    copy.removeChild(Xml.first(copy, "Signature"));
    forge(forged);
    Xml.first(forged, "KeyInfo").appendChild(copy);
  }

  private static void originalIntoConfirmation(Document response) {
    Element original = original(response);
    Element forged = forged(response);
    original.getParentNode().replaceChild(forged, original);
    Xml.first(forged, "SubjectConfirmationData").appendChild(original);
  }

  private static void originalIntoValue(Document response) {
    Element original = original(response);
    Element forged = forged(response);
    original.getParentNode().replaceChild(forged, original);
    Element value = Xml.first(forged, "AttributeValue");
    value.removeAttributeNS("http://www.w3.org/2001/XMLSchema-instance", "type");
    value.appendChild(original);
  }

  private static Element extensions(Document response) {
    return response.createElementNS(SamlNames.PROTOCOL_NS, "saml2p:Extensions");
  }

  private static void forgedIntoExtensions(Document response) {
    Element extensions = extensions(response);
    extensions.appendChild(forged(response));
    response
        .getDocumentElement()
        .insertBefore(extensions, Xml.first(response.getDocumentElement(), "Status"));
  }

  private static void forgedBeforeOriginal(Document response) {
    Element original = original(response);
    original.getParentNode().insertBefore(forged(response), original);
  }
}
