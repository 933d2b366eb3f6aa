package org.keywell.signing.caller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERT61String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.settings.StartRefusedException;

/** Each row of the table in docs/CONFIGURATION.md, "Callers", on a certificate as TLS gives it. */
final class CallerSubjectsTest {

  private static final String UNIVERSAL_OPERATOR =
      "1c200000006f0000007000000065000000720000006100000074" + "0000006f00000072";

  static Stream<Arguments> equal() throws Exception {
    return Stream.of(
        arguments("CN=operator", name(utf8("operator"))),
        arguments("CN=operator", name(new DERPrintableString("operator"))),
        arguments("CN=operator", name(new DERBMPString("operator"))),
        arguments("CN=operator", name(new DERIA5String("operator"))),
        arguments("CN=\u017Bółć", name(utf8("\u017Bółć"))),
        arguments("CN=\u017Bółć", name(new DERBMPString("\u017Bółć"))),
        arguments("cn=operator", name(utf8("operator"))),
        arguments("2.5.4.3=operator", name(utf8("operator"))),
        arguments("OID.2.5.4.3=operator", name(utf8("operator"))),
        arguments("CN = operator , O = Agency", name("Agency", "operator")),
        arguments("CN=\\6Fperator", name(utf8("operator"))),
        arguments("CN=#0c086f70657261746f72", name(new DERPrintableString("operator"))),
        arguments("CN=#14066dfc6c6c6572", name(new DERT61String("m\u00FCller"))),
        arguments("EMAILADDRESS=a@b.example", attribute(BCStyle.E, utf8("a@b.example"))),
        arguments(
            "EMAILADDRESS=a@b.example", attribute(BCStyle.E, new DERIA5String("a@b.example"))),
        arguments("2.5.4.97=VATSE-1", attribute(BCStyle.ORGANIZATION_IDENTIFIER, utf8("VATSE-1"))),
        arguments("CN=operator+UID=7", pair("operator", "7")),
        arguments("UID=7+CN=operator", pair("operator", "7")));
  }

  static Stream<Arguments> different() throws Exception {
    return Stream.of(
        // Compatibility characters: fullwidth, mathematical bold, an ordinal indicator, a ligature.
        arguments("CN=operator", name(utf8("\uFF4F\uFF50\uFF45\uFF52\uFF41\uFF54\uFF4F\uFF52"))),
        arguments("CN=operator", name(utf8("\uD835\uDC28\uD835\uDC29erator"))),
        arguments("CN=operator", name(utf8("oper\u00AAtor"))),
        arguments("CN=office", name(utf8("o\uFB03ce"))),
        // Other scripts, other forms of normalisation, what does not show.
        arguments("CN=operator", name(utf8("\u043Eperator"))),
        arguments("CN=Ren\u00E9", name(utf8("Rene\u0301"))),
        arguments("CN=operator", name(utf8("operator\u200B"))),
        arguments("CN=operator", name(utf8("operator\0"))),
        arguments("CN=operator", name(utf8("operator\0.example"))),
        // Case and blanks.
        arguments("CN=operator", name(utf8("Operator"))),
        arguments("CN=operator", name(utf8("operator "))),
        arguments("CN=operator", name(utf8(" operator"))),
        arguments("CN=the operator", name(utf8("the  operator"))),
        arguments("CN=the operator", name(utf8("the\u00A0operator"))),
        // Octets that spell the name in another string type.
        arguments("CN=operator", name(new DERBMPString("\u6F70\u6572\u6174\u6F72"))),
        arguments("CN=operator", name(new DERT61String("operator"))),
        arguments("CN=m\u00FCller", name(new DERT61String("m\u00FCller"))),
        arguments("CN=operator", name(der(UNIVERSAL_OPERATOR))),
        arguments("CN=operator", name(der("04086f70657261746f72"))),
        // UTF-8 that is none: overlong, cut off, and what a decoder puts in its place.
        arguments("CN=operator", name(der("0c09c1af70657261746f72"))),
        arguments("CN=operator\uFFFD", name(der("0c096f70657261746f72ff"))),
        // Another structure.
        arguments("CN=operator", attribute(BCStyle.O, utf8("operator"))),
        arguments("CN=operator,O=Agency", name(utf8("operator"))),
        arguments("CN=operator", name("Agency", "operator")),
        arguments("O=Agency,CN=operator", name("Agency", "operator")),
        arguments("CN=operator,UID=7", pair("operator", "7")),
        arguments("CN=operator\\,UID\\=7", pair("operator", "7")),
        arguments("CN=operator", pair("operator", "7")),
        arguments("CN=operator", new X500Name(new RDN[0])));
  }

  @ParameterizedTest
  @MethodSource("equal")
  void aCertificateOfThatNameIsTheCallers(String subject, X500Name name) throws Exception {
    assertThat(callers(subject).of(TestCertificates.of(name))).isPresent();
  }

  @ParameterizedTest
  @MethodSource("different")
  void anyOtherIsNot(String subject, X500Name name) throws Exception {
    assertThat(callers(subject).of(TestCertificates.of(name))).isEmpty();
  }

  /** A string in parts, which BER allows and DER does not: the handshake's parser takes it. */
  @Test
  void aNameThatCannotBeReadIsNobodys() throws Exception {
    byte[] encoded = TestCertificates.of(name(utf8("\f\boperator"))).getEncoded();
    HexFormat hex = HexFormat.of();
    String inParts = hex.formatHex(encoded).replace("0c0a0c086f", "2c0a0c086f");
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(hex.parseHex(inParts)));

    assertThat(callers("CN=operator", "CN=\\0C\\08operator").of(certificate)).isEmpty();
  }

  /** Two names are two callers, however alike they look. */
  @Test
  void lookAlikesMayBothBeInTheFile() throws Exception {
    Callers callers = callers("CN=operator", "CN=Operator");

    assertThat(callers.of(TestCertificates.of(name(utf8("operator")))).orElseThrow().name())
        .isEqualTo("c0");
    assertThat(callers.of(TestCertificates.of(name(utf8("Operator")))).orElseThrow().name())
        .isEqualTo("c1");
  }

  /** Java writes these two attributes as IA5String, and {@code ?} for what that does not have. */
  @ParameterizedTest
  @ValueSource(strings = {"DC=m\u00FCnchen,CN=x", "EMAILADDRESS=m\u00FCller@b.example"})
  void whatCannotBeWrittenAsTheAttributeWantsItIsRefused(String subject) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> callers(subject))
        .withMessageContaining("certificate.subject")
        .withMessageContaining("ASCII");
  }

  private static Callers callers(String... subjects) {
    StringBuilder yaml = new StringBuilder("callers:\n");
    for (int i = 0; i < subjects.length; i++) {
      yaml.append(
          "  - {name: c%d, certificate: {subject: '%s'}, roles: [sign]}\n"
              .formatted(i, subjects[i]));
    }
    return new CallersFile(Path.of("callers.yaml"), "standard"::equals)
        .parse(yaml.toString().getBytes(UTF_8));
  }

  private static DERUTF8String utf8(String value) {
    return new DERUTF8String(value);
  }

  private static ASN1Primitive der(String hex) throws Exception {
    return ASN1Primitive.fromByteArray(HexFormat.of().parseHex(hex));
  }

  private static X500Name name(ASN1Encodable commonName) {
    return attribute(BCStyle.CN, commonName);
  }

  private static X500Name attribute(ASN1ObjectIdentifier type, ASN1Encodable value) {
    return new X500NameBuilder().addRDN(type, value).build();
  }

  private static X500Name name(String organization, String commonName) {
    return new X500NameBuilder()
        .addRDN(BCStyle.O, utf8(organization))
        .addRDN(BCStyle.CN, utf8(commonName))
        .build();
  }

  private static X500Name pair(String commonName, String id) {
    return new X500NameBuilder()
        .addMultiValuedRDN(
            new AttributeTypeAndValue[] {
              new AttributeTypeAndValue(BCStyle.CN, utf8(commonName)),
              new AttributeTypeAndValue(BCStyle.UID, utf8(id))
            })
        .build();
  }
}
