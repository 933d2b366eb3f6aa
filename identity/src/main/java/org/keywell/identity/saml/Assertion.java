package org.keywell.identity.saml;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;

/**
 * The content of an assertion in the form that the deployment profile of Sweden's eID framework
 * prescribes (section 6.2): one bearer confirmation, one authentication statement, and at most one
 * attribute statement.
 *
 * @param audiences of each restriction; the assertion is for those who are in all of them
 * @param attributes values by attribute name, in order
 */
record Assertion(
    String id,
    Instant issued,
    Instant notBefore,
    Instant notOnOrAfter,
    List<Set<String>> audiences,
    String recipient,
    Instant confirmableUntil,
    String inResponseTo,
    Instant authenticated,
    String levelOfAssurance,
    Map<String, List<String>> attributes) {

  private static final String NS = SamlNames.ASSERTION_NS;

  /** Conditions that may be ignored: a ticket is used once and never passed on. */
  private static final Set<String> HARMLESS_CONDITIONS = Set.of("OneTimeUse", "ProxyRestriction");

  /**
   * @throws ProofRefusedException as malformed, if it does not have that form
   */
  static Assertion of(SamlElement assertion) {
    SamlElement conditions = assertion.child(NS, "Conditions");
    SamlElement confirmation = assertion.child(NS, "Subject").child(NS, "SubjectConfirmation");
    if (!confirmation.required("Method").strip().equals(SamlNames.BEARER)) {
      throw malformed("its subject confirmation is not of the bearer method");
    }
    SamlElement bearer = confirmation.child(NS, "SubjectConfirmationData");
    if (bearer.attribute("NotBefore").isPresent()) {
      throw malformed("its bearer confirmation has a NotBefore");
    }
    SamlElement statement = assertion.child(NS, "AuthnStatement");
    return new Assertion(
        assertion.required("ID"),
        assertion.requiredTime("IssueInstant"),
        conditions.requiredTime("NotBefore"),
        conditions.requiredTime("NotOnOrAfter"),
        audiences(conditions),
        bearer.required("Recipient").strip(),
        bearer.requiredTime("NotOnOrAfter"),
        bearer.required("InResponseTo"),
        statement.requiredTime("AuthnInstant"),
        statement.child(NS, "AuthnContext").child(NS, "AuthnContextClassRef").uri(),
        attributes(assertion));
  }

  /** Returns the claimed issuer, to be believed only once the signature is verified. */
  static String issuer(SamlElement assertion) {
    SamlElement issuer = assertion.child(NS, "Issuer");
    String format = issuer.attribute("Format").orElse(SamlNames.ENTITY_FORMAT);
    if (!assertion.required("Version").equals("2.0")
        || !format.strip().equals(SamlNames.ENTITY_FORMAT)) {
      throw malformed("its version is not 2.0, or its Issuer is not an entity");
    }
    return issuer.text();
  }

  private static List<Set<String>> audiences(SamlElement conditions) {
    List<Set<String>> audiences = new ArrayList<>();
    for (SamlElement condition : conditions.children()) {
      if (condition.is(NS, "AudienceRestriction")) {
        audiences.add(
            Set.copyOf(condition.children(NS, "Audience").stream().map(SamlElement::uri).toList()));
      } else if (!HARMLESS_CONDITIONS.contains(condition.dom().getLocalName())) {
        // SAML core, section 2.5.1.1: an unknown condition makes it invalid.
        throw malformed("it has an unknown condition");
      }
    }
    return audiences;
  }

  private static Map<String, List<String>> attributes(SamlElement assertion) {
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    if (assertion.children(NS, "AttributeStatement").isEmpty()) {
      return attributes;
    }
    for (SamlElement attribute : assertion.child(NS, "AttributeStatement").children()) {
      if (!attribute.is(NS, "Attribute")) {
        throw malformed("it has an encrypted attribute");
      }
      List<String> values =
          attribute.children(NS, "AttributeValue").stream().map(SamlElement::text).toList();
      if (attributes.putIfAbsent(attribute.required("Name"), values) != null) {
        throw malformed("it repeats an attribute");
      }
    }
    return attributes;
  }

  private static ProofRefusedException malformed(String detail) {
    return new ProofRefusedException(ProofRefusal.MALFORMED, detail);
  }
}
