package org.keywell.identity.saml;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.AttributeMapping;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProofType;
import org.keywell.identity.ProofVerifier;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.TicketReference;

/**
 * Verifies SAML 2.0 assertions: first that the document is what it seems, then who signed the
 * assertion, and only then what it says.
 */
public final class SamlProofs implements ProofVerifier {

  private final SamlTicket tickets;
  private final Map<String, Issuer> issuers;

  /** An identity provider with what its verification needs. */
  record Issuer(
      String entityId, MetadataSource metadata, AssertionRules rules, AttributeMapping mapping) {}

  SamlProofs(SamlDocuments documents, Map<String, Issuer> issuers) {
    this.tickets = new SamlTicket(documents);
    this.issuers = Map.copyOf(issuers);
  }

  @Override
  public ProvenIdentity verify(String ticket, ProofContext context) {
    SamlElement element = tickets.assertion(ticket);
    Issuer issuer = issuers.get(Assertion.issuer(element));
    if (issuer == null) {
      throw new ProofRefusedException(
          ProofRefusal.UNTRUSTED, "its Issuer is not in keywell.identity.providers-file");
    }
    Instant now = context.now();
    EnvelopedSignature.verify(element, issuer.metadata().signingKeys(issuer.entityId(), now));
    Assertion assertion = Assertion.of(element);
    issuer.rules().require(assertion, context);
    return new ProvenIdentity(
        issuer.entityId(),
        assertion.authenticated(),
        assertion.levelOfAssurance(),
        assertion.id(),
        TicketReference.sha256(ProofType.SAML, issuer.entityId(), assertion.id()),
        issuer.rules().usableUntil(assertion),
        issuer.mapping().map(name -> single(assertion, name)));
  }

  private static @Nullable String single(Assertion assertion, String name) {
    List<String> values = assertion.attributes().getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw new ProofRefusedException(
          ProofRefusal.ATTRIBUTES, "the ticket has more than one value for " + name);
    }
    return values.isEmpty() ? null : values.getFirst();
  }
}
