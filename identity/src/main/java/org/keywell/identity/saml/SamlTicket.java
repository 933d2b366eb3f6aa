package org.keywell.identity.saml;

import java.util.Base64;
import java.util.List;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.w3c.dom.Document;
import org.w3c.dom.traversal.DocumentTraversal;
import org.w3c.dom.traversal.NodeFilter;
import org.w3c.dom.traversal.NodeIterator;

/** Finds the only assertion of a ticket: base64 of an Assertion, or of a Response with one. */
final class SamlTicket {

  private final SamlDocuments documents;

  SamlTicket(SamlDocuments documents) {
    this.documents = documents;
  }

  /**
   * Returns the assertion, of which only the form has been checked.
   *
   * @throws ProofRefusedException as malformed
   */
  SamlElement assertion(String ticket) {
    byte[] xml;
    try {
      xml = Base64.getDecoder().decode(ticket);
    } catch (IllegalArgumentException e) {
      throw malformed("it is not base64 (RFC 4648, section 4) without white space");
    }
    Document document = documents.read(xml);
    SamlElement root = new SamlElement(document.getDocumentElement());
    SamlElement assertion = root.is(SamlNames.ASSERTION_NS, "Assertion") ? root : ofResponse(root);
    // Anywhere, including extensions, advice, signatures and values.
    if (document.getElementsByTagNameNS(SamlNames.ASSERTION_NS, "Assertion").getLength() != 1) {
      throw malformed("it has more than one Assertion");
    }
    requireNoComment(document);
    return assertion;
  }

  /** No signature covers comments, so anyone can insert one to cut a text for a careless reader. */
  private static void requireNoComment(Document document) {
    NodeIterator comments =
        ((DocumentTraversal) document)
            .createNodeIterator(document, NodeFilter.SHOW_COMMENT, null, false);
    if (comments.nextNode() != null) {
      throw malformed("it contains a comment");
    }
  }

  private static SamlElement ofResponse(SamlElement root) {
    if (root.is(SamlNames.ASSERTION_NS, "EncryptedAssertion")
        || !root.children(SamlNames.ASSERTION_NS, "EncryptedAssertion").isEmpty()) {
      throw malformed("its Assertion is encrypted; send it decrypted, with its own signature");
    }
    if (!root.is(SamlNames.PROTOCOL_NS, "Response")) {
      throw malformed("it is neither a SAML 2.0 Response nor a SAML 2.0 Assertion");
    }
    String status =
        root.child(SamlNames.PROTOCOL_NS, "Status")
            .child(SamlNames.PROTOCOL_NS, "StatusCode")
            .required("Value");
    List<SamlElement> assertions = root.children(SamlNames.ASSERTION_NS, "Assertion");
    if (!status.strip().equals(SamlNames.SUCCESS) || assertions.size() != 1) {
      throw malformed("its Response is not a success with one Assertion");
    }
    return assertions.getFirst();
  }

  private static ProofRefusedException malformed(String detail) {
    return new ProofRefusedException(ProofRefusal.MALFORMED, detail);
  }
}
