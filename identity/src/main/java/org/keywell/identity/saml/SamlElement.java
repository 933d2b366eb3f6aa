package org.keywell.identity.saml;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/** An element of a SAML document, read child by child, never by search. */
record SamlElement(Element dom) {

  boolean is(String namespace, String name) {
    return namespace.equals(dom.getNamespaceURI()) && name.equals(dom.getLocalName());
  }

  List<SamlElement> children() {
    List<SamlElement> children = new ArrayList<>();
    for (Node node = dom.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(new SamlElement(element));
      }
    }
    return children;
  }

  List<SamlElement> children(String namespace, String name) {
    return children().stream().filter(child -> child.is(namespace, name)).toList();
  }

  /**
   * @throws ProofRefusedException as malformed, unless there is exactly one child of this name
   */
  SamlElement child(String namespace, String name) {
    List<SamlElement> children = children(namespace, name);
    if (children.size() != 1) {
      throw malformed("has %d elements %s, not one".formatted(children.size(), name));
    }
    return children.getFirst();
  }

  /** Returns an attribute without a namespace; empty if it is missing. */
  Optional<String> attribute(String name) {
    return dom.hasAttributeNS(null, name)
        ? Optional.of(dom.getAttributeNS(null, name))
        : Optional.empty();
  }

  String required(String name) {
    return attribute(name).orElseThrow(() -> malformed("has no " + name));
  }

  /** Returns a time; one without an offset is UTC (SAML core, section 1.3.3). */
  Optional<Instant> time(String name) {
    return attribute(name).map(value -> instant(name, value.strip()));
  }

  Instant requiredTime(String name) {
    return time(name).orElseThrow(() -> malformed("has no " + name));
  }

  /**
   * Returns its whole text.
   *
   * @throws ProofRefusedException as malformed, if it contains anything but text
   */
  String text() {
    StringBuilder text = new StringBuilder();
    for (Node node = dom.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (!(node instanceof Text part)) {
        throw malformed("is not plain text");
      }
      text.append(part.getData());
    }
    return text.toString();
  }

  /** Returns a text of type {@code anyURI}; white space around it is ignored. */
  String uri() {
    return text().strip();
  }

  private Instant instant(String name, String value) {
    try {
      TemporalAccessor time =
          DateTimeFormatter.ISO_DATE_TIME.parseBest(
              value, OffsetDateTime::from, LocalDateTime::from);
      return time instanceof LocalDateTime utc ? utc.toInstant(ZoneOffset.UTC) : Instant.from(time);
    } catch (DateTimeException e) {
      throw malformed("has a " + name + " that is not a time");
    }
  }

  private ProofRefusedException malformed(String what) {
    return new ProofRefusedException(
        ProofRefusal.MALFORMED, "its " + dom.getLocalName() + " " + what);
  }
}
