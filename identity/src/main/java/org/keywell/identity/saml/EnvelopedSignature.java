package org.keywell.identity.saml;

import java.security.PublicKey;
import java.util.List;
import javax.xml.crypto.Data;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.NodeSetData;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.SignedInfo;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.w3c.dom.Element;

/**
 * Verifies the signature of one element, an assertion or metadata, in the only form that SAML
 * allows (SAML core, section 5.4): a child of that element, with one reference, to that element,
 * and nothing but the signature itself left out of what is signed.
 *
 * <p>The element is the only one in its document with an id known to the JDK's XML signature, so a
 * reference leads there or nowhere; this is checked again after validation. What a signature says
 * about its key is removed unread.
 */
final class EnvelopedSignature {

  private static final List<String> TRANSFORMS =
      List.of(Transform.ENVELOPED, AcceptedAlgorithms.CANONICALIZATION);

  private EnvelopedSignature() {}

  /**
   * Returns normally if one of the keys signed the element as it is.
   *
   * @param signed of a schema-valid document that has only one element with this id
   * @throws ProofRefusedException as untrusted
   */
  static void verify(SamlElement signed, List<PublicKey> keys) {
    SamlElement signature = signature(signed);
    for (SamlElement keyInfo : signature.children(XMLSignature.XMLNS, "KeyInfo")) {
      signature.dom().removeChild(keyInfo.dom());
    }
    String id = signed.required("ID");
    signed.dom().setIdAttributeNS(null, "ID", true);
    try {
      for (PublicKey key : keys) {
        if (verify(signed, signature, id, key)) {
          return;
        }
      }
    } catch (MarshalException | XMLSignatureException e) {
      throw untrusted("its signature does not have an accepted form");
    }
    throw untrusted("its signature is not valid under any key trusted for its issuer");
  }

  private static SamlElement signature(SamlElement signed) {
    List<SamlElement> signatures = signed.children(XMLSignature.XMLNS, "Signature");
    if (signatures.size() != 1) {
      throw untrusted("its " + signed.dom().getLocalName() + " is not signed itself");
    }
    return signatures.getFirst();
  }

  private static boolean verify(
      SamlElement signed, SamlElement signatureElement, String id, PublicKey key)
      throws MarshalException, XMLSignatureException {
    DOMValidateContext context = new DOMValidateContext(key, signatureElement.dom());
    context.setProperty("org.jcp.xml.dsig.secureValidation", true);
    context.setProperty("javax.xml.crypto.dsig.cacheReference", true);
    XMLSignature signature = XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context);
    Reference reference = requireForm(signature, id);
    String algorithm = signature.getSignedInfo().getSignatureMethod().getAlgorithm();
    if (!AcceptedAlgorithms.fits(key, algorithm) || !signature.validate(context)) {
      return false;
    }
    requireOf(signed, reference.getDereferencedData());
    return true;
  }

  private static Reference requireForm(XMLSignature signature, String id) {
    SignedInfo info = signature.getSignedInfo();
    if (info.getReferences().size() != 1) {
      throw untrusted("its signature has " + info.getReferences().size() + " references, not one");
    }
    Reference reference = info.getReferences().getFirst();
    if (!("#" + id).equals(reference.getURI())) {
      throw untrusted("its signature covers another element");
    }
    List<String> transforms =
        reference.getTransforms().stream().map(Transform::getAlgorithm).toList();
    if (!transforms.equals(TRANSFORMS)
        || !info.getCanonicalizationMethod()
            .getAlgorithm()
            .equals(AcceptedAlgorithms.CANONICALIZATION)) {
      throw untrusted(
          "its signature has other transforms than enveloped-signature and exclusive"
              + " canonicalization");
    }
    if (!signature.getObjects().isEmpty()) {
      throw untrusted("its signature contains objects");
    }
    if (!AcceptedAlgorithms.digest(reference.getDigestMethod().getAlgorithm())
        || !AcceptedAlgorithms.signature(info.getSignatureMethod().getAlgorithm())) {
      throw untrusted("its signature algorithm is not accepted");
    }
    return reference;
  }

  /** The first element among a subtree's nodes, after the root's attributes, is its root. */
  private static void requireOf(SamlElement signed, Data dereferenced) {
    if (dereferenced instanceof NodeSetData<?> nodes) {
      for (Object node : nodes) {
        if (node instanceof Element first) {
          if (first.isSameNode(signed.dom())) {
            return;
          }
          break;
        }
      }
    }
    throw untrusted("its signature covers another element");
  }

  private static ProofRefusedException untrusted(String detail) {
    return new ProofRefusedException(ProofRefusal.UNTRUSTED, detail);
  }
}
