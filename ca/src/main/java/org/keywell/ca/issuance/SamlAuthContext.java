package org.keywell.ca.issuance;

import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.keywell.ca.AuthenticationContext;

/**
 * How a signer was identified, as XML of the schema {@code CertAuthContextExtension-SAML-1.0.xsd}
 * of Sweden's eID framework (RFC 7773, section 3).
 */
final class SamlAuthContext {
  static final String NAMESPACE = "http://id.elegnamnden.se/auth-cont/1.0/saci";

  private static final String SAML = "urn:oasis:names:tc:SAML:2.0:assertion";

  private SamlAuthContext() {}

  /** Omits prolog and white space to keep it short. */
  static String of(AuthenticationContext context) {
    StringWriter text = new StringWriter(2048);
    try {
      // One factory per use: thread-safety of a shared factory is not guaranteed.
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      xml.writeStartElement("saci", "SAMLAuthContext", NAMESPACE);
      xml.writeNamespace("saci", NAMESPACE);
      xml.writeNamespace("saml", SAML);
      writeInfo(xml, context);
      if (!context.attributes().isEmpty()) {
        xml.writeStartElement("saci", "IdAttributes", NAMESPACE);
        for (AuthenticationContext.Mapping attribute : context.attributes()) {
          writeMapping(xml, attribute);
        }
        xml.writeEndElement();
      }
      xml.writeEndElement();
      xml.close();
      return text.toString();
    } catch (XMLStreamException e) {
      throw new AssertionError("writing to memory", e);
    }
  }

  private static void writeInfo(XMLStreamWriter xml, AuthenticationContext context)
      throws XMLStreamException {
    Instant authenticated = context.authenticated().truncatedTo(ChronoUnit.MILLIS);
    xml.writeEmptyElement("saci", "AuthContextInfo", NAMESPACE);
    xml.writeAttribute("IdentityProvider", context.identityProvider());
    xml.writeAttribute("AuthenticationInstant", authenticated.toString());
    xml.writeAttribute("AuthnContextClassRef", context.levelOfAssurance());
    xml.writeAttribute("AssertionRef", context.assertionReference());
  }

  private static void writeMapping(XMLStreamWriter xml, AuthenticationContext.Mapping attribute)
      throws XMLStreamException {
    xml.writeStartElement("saci", "AttributeMapping", NAMESPACE);
    xml.writeAttribute("Type", "rdn");
    xml.writeAttribute("Ref", DistinguishedNames.typeOf(attribute.target()).getId());
    xml.writeStartElement("saml", "Attribute", SAML);
    xml.writeAttribute("Name", attribute.source());
    xml.writeStartElement("saml", "AttributeValue", SAML);
    xml.writeCharacters(attribute.value());
    xml.writeEndElement();
    xml.writeEndElement();
    xml.writeEndElement();
  }
}
