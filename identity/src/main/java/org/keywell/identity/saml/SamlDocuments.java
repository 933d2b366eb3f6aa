package org.keywell.identity.saml;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.Schema;
import javax.xml.validation.Validator;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.w3c.dom.Document;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * Parses untrusted XML: no document types, and so no custom entities; nothing is fetched; documents
 * that do not conform to the SAML schema are refused. Parsing adds no defaults and normalises
 * nothing, so that a signature can be checked. Comments stay in the tree: signatures leave them
 * out, so readers must notice them.
 *
 * <p>Thread-safe.
 */
final class SamlDocuments {

  /** Deeper, or with more attributes per element, than any SAML document. */
  private static final int MAX_DEPTH = 50;

  private static final int MAX_ATTRIBUTES = 50;

  /** Parsers and validators are expensive to create and serve one thread at a time. */
  private static final int MAX_IDLE = 16;

  private final Schema schema;
  private final DocumentBuilderFactory parsers;
  private final BlockingQueue<Tools> idle = new ArrayBlockingQueue<>(MAX_IDLE);

  private record Tools(DocumentBuilder parser, Validator validator) {}

  SamlDocuments(Schema schema) {
    this.schema = schema;
    this.parsers = hardened();
  }

  /**
   * @throws ProofRefusedException as malformed; its detail does not quote the document
   */
  Document read(byte[] xml) {
    Tools tools = idle.poll();
    if (tools == null) {
      tools = newTools();
    }
    try {
      Document document = tools.parser().parse(new ByteArrayInputStream(xml));
      tools.validator().validate(new DOMSource(document));
      return document;
    } catch (SAXException e) {
      throw malformed(e);
    } catch (IOException e) {
      // Bytes that are invalid in the declared encoding.
      throw new ProofRefusedException(ProofRefusal.MALFORMED, "it is not well-formed XML");
    } finally {
      idle.offer(tools);
    }
  }

  private synchronized Tools newTools() {
    try {
      DocumentBuilder parser = parsers.newDocumentBuilder();
      Validator validator = schema.newValidator();
      validator.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      validator.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      parser.setErrorHandler(RefuseErrors.INSTANCE);
      validator.setErrorHandler(RefuseErrors.INSTANCE);
      return new Tools(parser, validator);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("The JDK's XML parser lacks a feature", e);
    }
  }

  private static DocumentBuilderFactory hardened() {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      // Without effect while document types are refused; a second line of defence.
      factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
      factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
      factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
      factory.setFeature("http://apache.org/xml/features/dom/defer-node-expansion", false);
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      factory.setAttribute("jdk.xml.maxElementDepth", MAX_DEPTH);
      factory.setAttribute("jdk.xml.elementAttributeLimit", MAX_ATTRIBUTES);
      factory.setXIncludeAware(false);
      factory.setExpandEntityReferences(false);
      factory.setCoalescing(true);
      return factory;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("The JDK's XML parser lacks a feature", e);
    }
  }

  /** The parser's message may quote the document; its code and the line do not. */
  private static ProofRefusedException malformed(SAXException e) {
    String message = String.valueOf(e.getMessage());
    int colon = message.indexOf(':');
    if (message.startsWith("cvc-") && colon > 0) {
      return new ProofRefusedException(
          ProofRefusal.MALFORMED,
          "it is not valid against the SAML 2.0 schema (" + message.substring(0, colon) + ")");
    }
    String where = e instanceof SAXParseException at ? " at line " + at.getLineNumber() : "";
    return new ProofRefusedException(
        ProofRefusal.MALFORMED,
        message.contains("DOCTYPE")
            ? "it has a document type declaration"
            : "it is not well-formed XML" + where);
  }

  private enum RefuseErrors implements ErrorHandler {
    INSTANCE;

    @Override
    public void warning(SAXParseException warning) {}

    @Override
    public void error(SAXParseException error) throws SAXParseException {
      throw error;
    }

    @Override
    public void fatalError(SAXParseException error) throws SAXParseException {
      throw error;
    }
  }
}
