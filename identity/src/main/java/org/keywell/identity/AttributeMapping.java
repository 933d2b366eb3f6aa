package org.keywell.identity;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.InvalidSubjectException;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProvenIdentity.Attested;

/** Maps a ticket's attributes of a signer to parts of a subject. Thread-safe. */
public final class AttributeMapping {

  private final List<AttributeRule> rules;

  /**
   * @throws IllegalArgumentException if there is no rule, or two set the same part
   */
  public AttributeMapping(List<AttributeRule> rules) {
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("attributes are missing: nothing says who signs");
    }
    Set<SubjectAttribute> targets = EnumSet.noneOf(SubjectAttribute.class);
    for (AttributeRule rule : rules) {
      if (!targets.add(rule.target())) {
        throw new IllegalArgumentException(rule.target() + " is named twice in attributes");
      }
    }
    this.rules = List.copyOf(rules);
  }

  /**
   * Maps a ticket's attributes; each value is allowed in a certificate.
   *
   * @param ticket returns an attribute's value by its name at the provider, null if the ticket
   *     lacks it; may refuse one without a single text value
   * @throws ProofRefusedException if an attribute is missing or not allowed in a certificate
   */
  public List<Attested> map(Function<String, @Nullable String> ticket) {
    List<Attested> attested = new ArrayList<>(rules.size());
    SubjectParts parts = new SubjectParts();
    for (AttributeRule rule : rules) {
      String said = said(rule, ticket);
      if (said != null) {
        String value = rule.semantics() == null ? said : rule.semantics() + "-" + said;
        attested.add(new Attested(rule.source(), rule.target(), value, said));
        parts.put(rule.target(), value);
      }
    }
    try {
      parts.toSubject("-");
    } catch (InvalidSubjectException e) {
      throw new ProofRefusedException(
          ProofRefusal.ATTRIBUTES,
          "the ticket's value for %s %s".formatted(e.attribute(), e.problem()));
    }
    return attested;
  }

  private static @Nullable String said(
      AttributeRule rule, Function<String, @Nullable String> ticket) {
    String source = rule.source();
    if (source == null) {
      return rule.value();
    }
    String value = ticket.apply(source);
    if (value == null) {
      if (rule.optional()) {
        return null;
      }
      throw new ProofRefusedException(
          ProofRefusal.ATTRIBUTES,
          "the ticket lacks %s, which becomes %s".formatted(source, rule.target()));
    }
    return value;
  }
}
