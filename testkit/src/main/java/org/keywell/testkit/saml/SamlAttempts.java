package org.keywell.testkit.saml;

import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.STRANGER;
import static org.keywell.testkit.saml.TestIdentityProvider.response;
import static org.keywell.testkit.saml.TestIdentityProvider.signed;

import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dsig.SignatureMethod;
import org.w3c.dom.Document;

/** Tickets for a running service whose provider is {@link TestIdentityProvider}: good and bad. */
public final class SamlAttempts {

  private static final String ASSURANCE_TOO_LOW = "ASSURANCE_TOO_LOW";
  private static final String MALFORMED = "MALFORMED";
  private static final String NOT_BOUND = "NOT_BOUND";
  private static final String NOT_VALID_NOW = "NOT_VALID_NOW";
  private static final String UNTRUSTED = "UNTRUSTED";
  private static final String WRONG_AUDIENCE = "WRONG_AUDIENCE";

  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");

  /** What the caller says that the tickets answer. */
  public static final String IN_RESPONSE_TO = TestIdentityProvider.REQUEST;

  private final Instant now;

  /**
   * @param now by the service's clock
   */
  public SamlAttempts(Instant now) {
    this.now = now;
  }

  /**
   * One that is refused.
   *
   * @param reason as the constants of {@code ProofRefusal} are called
   */
  public record Attempt(String name, String ticket, String reason) {}

  /** The entry of the providers file; both are absolute paths. */
  public static String providersFile(String metadata, String certificate) {
    return """
    identity:
      saml:
        - issuer: https://idp.example/saml
          metadata: %s
          metadata-certificate: %s
          audiences: [https://portal.example/sp]
          recipients: [https://portal.example/acs]
          levels-of-assurance: [http://id.elegnamnden.se/loa/1.0/loa3]
          attributes:
            - {subject: serialNumber, source: "urn:oid:1.2.752.29.4.13", semantics: PNOSE}
            - {subject: commonName, source: "urn:oid:2.16.840.1.113730.3.1.241"}
            - {subject: country, value: SE}
    """
        .formatted(metadata, certificate);
  }

  public String metadata() {
    return TestIdentityProvider.signedMetadata(shifted(TestIdentityProvider.metadata(RSA)));
  }

  public static String metadataCertificate() {
    return TestIdentityProvider.pem(TestIdentityProvider.FEDERATION);
  }

  /** A good one, with its own id: for Astrid Exempel, PNOSE-197001011234. */
  public String genuine(String id) {
    return Xml.ticket(signed(assertion().replace("_assertion1", id)));
  }

  /** Bad ones, each for one reason. */
  public List<Attempt> bad() {
    List<Attempt> bad = new ArrayList<>();
    for (SignatureWrapping wrapping : SignatureWrapping.ALL) {
      bad.add(
          attempt(
              "wrapping " + wrapping.name(), Xml.text(wrapping.attack(assertion())), MALFORMED));
    }
    String genuine = Xml.text(signed(assertion()));
    bad.add(
        attempt(
            "comment in the NameID",
            genuine.replace("a-pseudonym", "a-<!-- -->pseudonym"),
            MALFORMED));
    bad.add(attempt("comment in a name", genuine.replace("Astrid ", "Astrid<!-- --> "), MALFORMED));
    bad.add(
        attempt(
            "entity of a file",
            "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
                + genuine.replace("Astrid Exempel", "&e;"),
            MALFORMED));
    bad.add(
        attempt(
            "entity bomb",
            "<!DOCTYPE a [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\"><!ENTITY c \"&b;&b;\">]>"
                + genuine.replace("Astrid Exempel", "&c;"),
            MALFORMED));
    bad.add(
        attempt(
            "processing instruction in a name",
            Xml.text(signed(assertion().replace("Astrid ", "Astrid<?x?> "))),
            MALFORMED));
    Document unsigned = response(Xml.parse(assertion()));
    XmlSigning.by(RSA).sign(unsigned.getDocumentElement());
    bad.add(attempt("unsigned assertion in a signed response", Xml.text(unsigned), UNTRUSTED));
    bad.add(attempt("no signature", assertion(), UNTRUSTED));
    bad.add(attempt("another key, in KeyInfo", by(STRANGER), UNTRUSTED));
    bad.add(attempt("HMAC with the public key", byHmac(), UNTRUSTED));
    bad.add(attempt("altered", genuine.replace("Astrid Exempel", "Mallory Exempel"), UNTRUSTED));
    bad.add(with("expired", "12:04:58Z", "11:50:00Z", NOT_VALID_NOW));
    bad.add(with("not yet valid", "11:59:58Z", "12:04:00Z", NOT_VALID_NOW));
    bad.add(with("other audience", "portal.example/sp", "x.example", WRONG_AUDIENCE));
    bad.add(with("other recipient", "portal.example/acs", "x.ex", WRONG_AUDIENCE));
    bad.add(with("other InResponseTo", IN_RESPONSE_TO, "_other", NOT_BOUND));
    bad.add(with("lower assurance", "loa3", "loa2", ASSURANCE_TOO_LOW));
    bad.add(with("other issuer", "idp.example/saml<", "x.example<", UNTRUSTED));
    return bad;
  }

  private Attempt with(String name, String text, String replacement, String reason) {
    String other = TestIdentityProvider.assertion().replace(text, replacement);
    return attempt(name, Xml.text(signed(shifted(other))), reason);
  }

  private static Attempt attempt(String name, String xml, String reason) {
    return new Attempt(name, Xml.ticket(xml), reason);
  }

  private String by(KeyPair keys) {
    Document document = Xml.parse(assertion());
    XmlSigning.by(keys).sign(document.getDocumentElement());
    return Xml.text(document);
  }

  private String byHmac() {
    Document document = Xml.parse(assertion());
    XmlSigning.by(RSA)
        .algorithm(
            new SecretKeySpec(RSA.getPublic().getEncoded(), "HmacSHA256"),
            SignatureMethod.HMAC_SHA256)
        .sign(document.getDocumentElement());
    return Xml.text(document);
  }

  private String assertion() {
    return shifted(TestIdentityProvider.assertion());
  }

  /** All times as far from now as they are from the provider's noon. */
  private String shifted(String xml) {
    Duration shift = Duration.between(TestIdentityProvider.NOW, now);
    return TIME.matcher(xml).replaceAll(time -> Instant.parse(time.group()).plus(shift).toString());
  }
}
