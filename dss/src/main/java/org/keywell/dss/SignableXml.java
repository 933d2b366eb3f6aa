package org.keywell.dss;

import java.io.ByteArrayInputStream;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Checks that XML can hold a signature, with helpful messages: DSS calls many cases "not XML". */
final class SignableXml {
  private static final XMLInputFactory FACTORY = factory();

  /** The JDK's messages about its limits, such as {@code jdk.xml.maxElementDepth}. */
  private static final Pattern LIMIT = Pattern.compile("JAXP000100\\d\\d");

  private SignableXml() {}

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory;
  }

  /**
   * Reads the whole document.
   *
   * @throws IllegalArgumentException if it is not well-formed, has a document type declaration, or
   *     is encoded in units of two or four bytes
   */
  static void require(byte[] content) {
    if (isWide(content)) {
      throw new IllegalArgumentException(
          "it is XML in UTF-16 or UTF-32, and a signature goes into XML in UTF-8: convert it, or"
              + " sign it as any other file, with the signature around or beside it");
    }
    try {
      XMLStreamReader reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(content));
      while (reader.hasNext()) {
        if (reader.next() == XMLStreamConstants.DTD) {
          throw new IllegalArgumentException(
              "it has a document type declaration (<!DOCTYPE), which may change what the XML says"
                  + " after it was signed: take it out, or sign it as any other file, with the"
                  + " signature around or beside it");
        }
      }
    } catch (XMLStreamException e) {
      if (LIMIT.matcher(String.valueOf(e.getMessage())).find()) {
        throw new IllegalArgumentException(
            "it is beyond a limit of Java's XML parser: " + e.getMessage(), e);
      }
      throw new IllegalArgumentException("it is not well-formed XML: " + e.getMessage(), e);
    }
  }

  /** XML starts with '<' or white space: a zero, or a byte order mark not UTF-8's, means wide. */
  private static boolean isWide(byte[] content) {
    return content.length >= 2
        && (content[0] == 0 || content[1] == 0 || (content[0] & content[1] & 0xFE) == 0xFE);
  }
}
