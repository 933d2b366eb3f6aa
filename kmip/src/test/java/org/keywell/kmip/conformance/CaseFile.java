package org.keywell.kmip.conformance;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * An OASIS test case: requests and responses in KMIP's XML form. Values that a run would fill in
 * are replaced: times by fixed ones, bytes by others.
 *
 * @param name its version and file
 */
record CaseFile(String name, List<Element> messages) {

  /** The attribute with the name of what was replaced. */
  static final String VARIABLE = "variable";

  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Pattern TIME = Pattern.compile("\\$NOW([+-]\\d+)?");

  /** Returns all cases below a directory, in an order. */
  static List<CaseFile> all(Path directory) throws Exception {
    List<CaseFile> cases = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.filter(file -> file.toString().endsWith(".xml")).sorted().toList()) {
        cases.add(read(each, directory.relativize(each).toString()));
      }
    }
    return cases;
  }

  private static CaseFile read(Path file, String name) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    Document document = factory.newDocumentBuilder().parse(file.toFile());
    List<Element> messages = children(document.getDocumentElement());
    messages.forEach(CaseFile::fillIn);
    return new CaseFile(name, messages);
  }

  static List<Element> children(Element of) {
    List<Element> children = new ArrayList<>();
    for (Node each = of.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  private static void fillIn(Element element) {
    String value = element.getAttribute("value");
    if (value.startsWith("$")) {
      element.setAttribute(VARIABLE, value);
      switch (element.getAttribute("type")) {
        case "DateTime" -> element.setAttribute("value", time(value));
        case "ByteString" -> element.setAttribute("value", "deadbeefcafe");
        default -> {
          // A text is as good as any other.
        }
      }
    }
    children(element).forEach(CaseFile::fillIn);
  }

  private static String time(String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no time: " + value);
    }
    String offset = matcher.group(1);
    return NOW.plusSeconds(offset == null ? 0 : Long.parseLong(offset)).toString();
  }

  /** Returns a message as XML. */
  static String xml(Element message) throws Exception {
    TransformerFactory factory = TransformerFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    Transformer transformer = factory.newTransformer();
    transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
    StringWriter text = new StringWriter();
    transformer.transform(new DOMSource(message), new StreamResult(text));
    return text.toString();
  }
}
