package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.StringReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.AuthenticationContext;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certificates;
import org.keywell.ca.SampleAuthentication;
import org.keywell.ca.SubjectAttribute;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.SoftwareCa;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** What a certificate says of how its signer was identified, as XML parsers of the JDK read it. */
class AuthenticationContextTest {
  private static final String SACI = "http://id.elegnamnden.se/auth-cont/1.0/saci";
  private static final String SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
  private static final int SAMPLES = 300;

  private final Random random = new Random(20261122);
  private final SubjectKeyPair pair = SubjectKeyPair.ec("secp256r1");
  private final CertificateAuthority authority = SoftwareCa.authority();

  /** The XML in a certificate's extension, found by tag, length and value. */
  private String issued(AuthenticationContext context) {
    X509Certificate certificate =
        Certificates.of(
            authority.certify(pair.request(SampleAuthentication.SIXTEN, "standard", context)));
    Tlv octets = Tlv.of(certificate.getExtensionValue("1.2.752.201.5.1"));
    Tlv contexts = Tlv.of(octets.content());
    assertThat(contexts.children()).as("AuthenticationContexts").hasSize(1);
    List<Tlv> one = contexts.children().getFirst().children();
    assertThat(one).extracting(Tlv::tag).as("UTF8Strings").containsExactly(0x0C, 0x0C);
    assertThat(text(one.getFirst())).isEqualTo(SACI);
    return text(one.getLast());
  }

  private static String text(Tlv utf8String) {
    return new String(utf8String.content(), StandardCharsets.UTF_8);
  }

  private static Element parsed(String xml) throws Exception {
    URL schema =
        Objects.requireNonNull(
            AuthenticationContextTest.class.getResource("CertAuthContextExtension-SAML-1.0.xsd"));
    Validator validator =
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
            .newSchema(schema)
            .newValidator();
    validator.validate(new StreamSource(new StringReader(xml)));
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
    Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    return document.getDocumentElement();
  }

  @Test
  void itIsOfTheSchemaAndSaysAllOfIt() throws Exception {
    Element root = parsed(issued(SampleAuthentication.ofSixten()));
    Element info = (Element) root.getElementsByTagNameNS(SACI, "AuthContextInfo").item(0);
    assertThat(info.getAttribute("IdentityProvider")).isEqualTo("https://idp.example/saml?a=1&b=2");
    assertThat(info.getAttribute("AuthenticationInstant")).isEqualTo("2026-11-22T10:00:00.123Z");
    assertThat(info.getAttribute("AuthnContextClassRef"))
        .isEqualTo("http://id.elegnamnden.se/loa/1.0/loa3");
    assertThat(info.getAttribute("AssertionRef")).isEqualTo("_8db6eb9e8dc043d554eaa0dad145cfda");
    var mappings = root.getElementsByTagNameNS(SACI, "AttributeMapping");
    assertThat(mappings.getLength()).isEqualTo(5);
    Element number = (Element) mappings.item(0);
    assertThat(number.getAttribute("Type")).isEqualTo("rdn");
    assertThat(number.getAttribute("Ref")).isEqualTo("2.5.4.5");
    Element attribute = (Element) number.getElementsByTagNameNS(SAML, "Attribute").item(0);
    assertThat(attribute.getAttribute("Name")).isEqualTo("urn:oid:1.2.752.29.4.13");
    assertThat(attribute.getTextContent()).isEqualTo("197010632391");
  }

  @Test
  void itMayBeWithoutAttributes() throws Exception {
    Element root =
        parsed(issued(new AuthenticationContext("idp", Instant.EPOCH, "loa", "ref", List.of())));
    assertThat(root.getElementsByTagNameNS(SACI, "IdAttributes").getLength()).isZero();
  }

  /** Whatever a provider may call things, an XML parser gets them back. */
  @Test
  void textThatIsAcceptedRoundTrips() throws Exception {
    int accepted = 0;
    for (int i = 0; i < SAMPLES; i++) {
      String text = randomText();
      AuthenticationContext context;
      try {
        context =
            new AuthenticationContext(
                text,
                Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE)),
                "loa3",
                text,
                List.of(
                    new AuthenticationContext.Mapping(text, SubjectAttribute.COMMON_NAME, text)));
      } catch (IllegalArgumentException e) {
        continue;
      }
      accepted++;
      Element root = parsed(issued(context));
      Element info = (Element) root.getElementsByTagNameNS(SACI, "AuthContextInfo").item(0);
      assertThat(info.getAttribute("IdentityProvider")).isEqualTo(text);
      assertThat(info.getAttribute("AssertionRef")).isEqualTo(text);
      Element attribute = (Element) root.getElementsByTagNameNS(SAML, "Attribute").item(0);
      assertThat(attribute.getAttribute("Name")).isEqualTo(text);
      assertThat(attribute.getTextContent()).isEqualTo(text);
    }
    assertThat(accepted).isBetween(SAMPLES / 4, SAMPLES - 1);
  }

  private String randomText() {
    String odd = "<>&'\"]]>-- \u0000\t\n\r\u0085\u2028\uFFFE\uD83D\uDC31\uD800\u00E5x";
    StringBuilder text = new StringBuilder("a");
    int length = random.nextInt(8);
    for (int i = 0; i < length; i++) {
      text.append(
          random.nextBoolean()
              ? Character.toString(odd.charAt(random.nextInt(odd.length())))
              : Character.toString(0x20 + random.nextInt(0x2000)));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\u0000", "a\nb", "\uD800", "\uFFFF"})
  void textThatXmlCannotHoldIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AuthenticationContext(text, Instant.EPOCH, "a", "a", List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AuthenticationContext("a", Instant.EPOCH, text, "a", List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AuthenticationContext("a", Instant.EPOCH, "a", text, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new AuthenticationContext.Mapping("a", SubjectAttribute.COMMON_NAME, text));
  }

  @Test
  void itIsBounded() {
    String longest = "a".repeat(AuthenticationContext.LONGEST_TEXT);
    var mapping = new AuthenticationContext.Mapping("a", SubjectAttribute.COMMON_NAME, longest);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new AuthenticationContext(longest + "a", Instant.EPOCH, "a", "a", List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new AuthenticationContext(
                "a",
                Instant.EPOCH,
                "a",
                "a",
                Collections.nCopies(AuthenticationContext.MOST_ATTRIBUTES + 1, mapping)));
  }
}
