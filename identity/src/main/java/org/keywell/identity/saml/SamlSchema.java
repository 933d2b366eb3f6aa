package org.keywell.identity.saml;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.bootstrap.DOMImplementationRegistry;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;
import org.xml.sax.SAXException;

/** The schemas of SAML 2.0, XML Signature and XML Encryption, as the standards publish them. */
final class SamlSchema {

  /** All known schemas; none is loaded from elsewhere. */
  private static final Map<String, String> FILES =
      Map.of(
          SamlNames.ASSERTION_NS,
          "saml-schema-assertion-2.0.xsd",
          SamlNames.PROTOCOL_NS,
          "saml-schema-protocol-2.0.xsd",
          SamlNames.METADATA_NS,
          "saml-schema-metadata-2.0.xsd",
          XMLSignature.XMLNS,
          "xmldsig-core-schema.xsd",
          "http://www.w3.org/2001/04/xmlenc#",
          "xenc-schema.xsd",
          XMLConstants.XML_NS_URI,
          "xml.xsd");

  private SamlSchema() {}

  /** Compiles the schemas, which takes a while; the result is immutable. */
  static Schema load() {
    try {
      DOMImplementationLS inputs =
          (DOMImplementationLS) DOMImplementationRegistry.newInstance().getDOMImplementation("LS");
      SchemaFactory factory = SchemaFactory.newDefaultInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      factory.setResourceResolver(
          (type, namespace, publicId, systemId, baseUri) -> input(inputs, namespace));
      return factory.newSchema(
          new Source[] {source(SamlNames.PROTOCOL_NS), source(SamlNames.METADATA_NS)});
    } catch (SAXException | ReflectiveOperationException e) {
      throw new IllegalStateException("The schema of SAML cannot be compiled", e);
    }
  }

  private static LSInput input(DOMImplementationLS inputs, @Nullable String namespace) {
    String file = namespace == null ? null : FILES.get(namespace);
    if (file == null) {
      throw new IllegalStateException("The schema of SAML imports " + namespace);
    }
    LSInput input = inputs.createLSInput();
    input.setSystemId(file);
    input.setByteStream(content(file));
    return input;
  }

  private static Source source(String namespace) {
    String file = FILES.getOrDefault(namespace, namespace);
    return new StreamSource(content(file), file);
  }

  private static InputStream content(String file) {
    try (InputStream resource = SamlSchema.class.getResourceAsStream(file)) {
      if (resource == null) {
        throw new IllegalStateException(file + " is not on the class path");
      }
      return new ByteArrayInputStream(resource.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
