package org.keywell.testkit.saml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.util.Base64;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.helpers.DefaultHandler;

/** XML as a tool for making tickets: reads and writes anything. */
public final class Xml {

  private Xml() {}

  public static Document parse(String xml) {
    try {
      DocumentBuilder builder = DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder();
      // The JDK's own handler prints parts of what is not XML.
      builder.setErrorHandler(new DefaultHandler());
      return builder.parse(new ByteArrayInputStream(xml.getBytes(UTF_8)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static String text(Node node) {
    try {
      Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      StringWriter text = new StringWriter();
      transformer.transform(new DOMSource(node), new StreamResult(text));
      return text.toString();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static String ticket(Node node) {
    return ticket(text(node));
  }

  public static String ticket(String xml) {
    return Base64.getEncoder().encodeToString(xml.getBytes(UTF_8));
  }

  /** The child of this name, of which there is one. */
  static Element child(Element parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child && child.getLocalName().equals(name)) {
        return child;
      }
    }
    throw new IllegalStateException("no " + name);
  }

  /** The first element of this name, in the order of the document. */
  public static Element first(Node within, String name) {
    return all(within, name, 0);
  }

  public static Element all(Node within, String name, int index) {
    Document document = within instanceof Document d ? d : within.getOwnerDocument();
    Element root = within instanceof Element e ? e : document.getDocumentElement();
    if (index == 0 && root.getLocalName().equals(name)) {
      return root;
    }
    int skipped = root.getLocalName().equals(name) ? 1 : 0;
    return (Element) root.getElementsByTagNameNS("*", name).item(index - skipped);
  }
}
