package org.keywell.testkit.saml;

import java.security.Key;
import java.security.KeyPair;
import java.util.List;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.DigestMethod;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.SignatureMethod;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.keyinfo.KeyInfo;
import javax.xml.crypto.dsig.keyinfo.KeyInfoFactory;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * How to sign an element: as a good identity provider does, or otherwise.
 *
 * @param keyInfo what the signature says of its key; null: nothing
 */
public record XmlSigning(
    Key key,
    String algorithm,
    String digest,
    String canonicalization,
    List<Transform> transforms,
    @Nullable KeyInfo keyInfo) {

  public static final XMLSignatureFactory FACTORY = XMLSignatureFactory.getInstance("DOM");

  public static XmlSigning by(KeyPair keys) {
    try {
      KeyInfoFactory infos = FACTORY.getKeyInfoFactory();
      return new XmlSigning(
          keys.getPrivate(),
          keys.getPrivate().getAlgorithm().equals("RSA")
              ? SignatureMethod.RSA_SHA256
              : SignatureMethod.ECDSA_SHA256,
          DigestMethod.SHA256,
          CanonicalizationMethod.EXCLUSIVE,
          List.of(transform(Transform.ENVELOPED), transform(CanonicalizationMethod.EXCLUSIVE)),
          infos.newKeyInfo(List.of(infos.newKeyValue(keys.getPublic()))));
    } catch (java.security.KeyException e) {
      throw new IllegalStateException(e);
    }
  }

  public XmlSigning algorithm(Key otherKey, String other) {
    return new XmlSigning(otherKey, other, digest, canonicalization, transforms, keyInfo);
  }

  public XmlSigning digest(String other) {
    return new XmlSigning(key, algorithm, other, canonicalization, transforms, keyInfo);
  }

  public XmlSigning canonicalization(String other) {
    return new XmlSigning(key, algorithm, digest, other, transforms, keyInfo);
  }

  public XmlSigning transforms(Transform... others) {
    return new XmlSigning(key, algorithm, digest, canonicalization, List.of(others), keyInfo);
  }

  public static Transform transform(String algorithm) {
    try {
      return FACTORY.newTransform(algorithm, (C14NMethodParameterSpec) null);
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Puts a signature behind the element's issuer, or first if it has none. */
  public Element sign(Element element) {
    return sign(element, "#" + element.getAttribute("ID"));
  }

  public Element sign(Element element, String... uris) {
    Node first = element.getFirstChild();
    Node next =
        first != null && "Issuer".equals(first.getLocalName()) ? first.getNextSibling() : first;
    return signInto(element, next, uris);
  }

  public Element signInto(Element parent, @Nullable Node next, String... uris) {
    try {
      List<Reference> references = java.util.Arrays.stream(uris).map(this::reference).toList();
      DOMSignContext context = new DOMSignContext(key, parent);
      context.setProperty("org.jcp.xml.dsig.secureValidation", false);
      if (next != null) {
        context.setNextSibling(next);
      }
      context.setDefaultNamespacePrefix("ds");
      registerIds(parent.getOwnerDocument().getDocumentElement(), context);
      FACTORY
          .newXMLSignature(
              FACTORY.newSignedInfo(
                  FACTORY.newCanonicalizationMethod(
                      canonicalization, (C14NMethodParameterSpec) null),
                  FACTORY.newSignatureMethod(algorithm, null),
                  references),
              keyInfo)
          .sign(context);
      Node before = next == null ? parent.getLastChild() : next.getPreviousSibling();
      return (Element) before;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Reference reference(String uri) {
    try {
      return FACTORY.newReference(
          uri, FACTORY.newDigestMethod(digest, null), transforms, null, null);
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void registerIds(Element element, javax.xml.crypto.dom.DOMCryptoContext context) {
    if (element.hasAttributeNS(null, "ID")) {
      context.setIdAttributeNS(element, null, "ID");
    }
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        registerIds(child, context);
      }
    }
  }
}
