package org.keywell.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What {@code sslscan} on the path finds at a TLS port of this machine. */
public final class SslScan {

  private static final int LEAST_BITS = 128;

  private final Document report;

  private SslScan(Document report) {
    this.report = report;
  }

  /** Scans a port; its absence, or that of the scanner, fails. */
  public static SslScan of(int port) throws IOException {
    Process process =
        new ProcessBuilder("sslscan", "--xml=-", "127.0.0.1:" + port)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      return new SslScan(factory.newDocumentBuilder().parse(process.getInputStream()));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("sslscan has no report on port " + port, e);
    } finally {
      process.destroy();
    }
  }

  /** Returns the versions that the port speaks, such as {@code tls 1.3}. */
  public List<String> versions() {
    return all("protocol").stream()
        .filter(protocol -> !"0".equals(protocol.get("enabled")))
        .map(protocol -> protocol.get("type") + " " + protocol.get("version"))
        .toList();
  }

  /** Returns the names of the groups for the key exchange. */
  public List<String> groups() {
    return all("group").stream().map(group -> group.getOrDefault("name", "")).toList();
  }

  /** Returns the names of the cipher suites. */
  public List<String> suites() {
    return all("cipher").stream().map(suite -> suite.getOrDefault("cipher", "")).toList();
  }

  /** Returns what is weak, element by element; versions aside. */
  public List<String> weak() {
    List<String> weak = new ArrayList<>();
    for (Map<String, String> one : all("cipher")) {
      if (isShort(one) || !List.of("strong", "acceptable").contains(one.get("strength"))) {
        weak.add("cipher " + one);
      }
    }
    all("group").stream().filter(SslScan::isShort).forEach(one -> weak.add("group " + one));
    addIf("heartbleed", "vulnerable", weak);
    addIf("compression", "supported", weak);
    for (Map<String, String> one : all("renegotiation")) {
      if ("1".equals(one.get("supported")) && !"1".equals(one.get("secure"))) {
        weak.add("renegotiation " + one);
      }
    }
    for (Map<String, String> one : all("pk")) {
      if (!"false".equals(one.get("error"))) {
        weak.add("key " + one);
      }
    }
    return weak;
  }

  private void addIf(String element, String flag, List<String> weak) {
    all(element).stream()
        .filter(one -> !"0".equals(one.get(flag)))
        .forEach(one -> weak.add(element + " " + one));
  }

  private static boolean isShort(Map<String, String> one) {
    return Integer.parseInt(one.getOrDefault("bits", "0")) < LEAST_BITS;
  }

  private List<Map<String, String>> all(String element) {
    List<Map<String, String>> all = new ArrayList<>();
    NodeList nodes = report.getElementsByTagName(element);
    for (int i = 0; i < nodes.getLength(); i++) {
      NamedNodeMap attributes = nodes.item(i).getAttributes();
      Map<String, String> one = new HashMap<>();
      for (int j = 0; j < attributes.getLength(); j++) {
        one.put(attributes.item(j).getNodeName(), attributes.item(j).getNodeValue());
      }
      all.add(one);
    }
    return all;
  }
}
