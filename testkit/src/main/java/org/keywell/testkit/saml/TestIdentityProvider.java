package org.keywell.testkit.saml;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** An identity provider as the deployment profile of Sweden's eID framework has it. */
public final class TestIdentityProvider {

  public static final String ENTITY_ID = "https://idp.example/saml";
  public static final String AUDIENCE = "https://portal.example/sp";
  public static final String RECIPIENT = "https://portal.example/acs";
  public static final String REQUEST = "_a0b1c2d3";
  public static final String LOA3 = "http://id.elegnamnden.se/loa/1.0/loa3";
  public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  public static final String PERSONAL_NUMBER = "urn:oid:1.2.752.29.4.13";
  public static final String DISPLAY_NAME = "urn:oid:2.16.840.1.113730.3.1.241";

  /** Key pairs take a while: each kind is made once for all tests. */
  public static final KeyPair RSA = generate("RSA", null);

  public static final KeyPair EC = generate("EC", "secp256r1");
  public static final KeyPair STRANGER = generate("EC", "secp256r1");
  public static final KeyPair FEDERATION = generate("EC", "secp256r1");

  private TestIdentityProvider() {}

  /** An assertion, not signed. */
  public static String assertion() {
    return """
    <saml2:Assertion xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion" \
    xmlns:xs="http://www.w3.org/2001/XMLSchema" \
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
    ID="_assertion1" IssueInstant="2026-03-01T11:59:58.120Z" Version="2.0">\
    <saml2:Issuer>https://idp.example/saml</saml2:Issuer>\
    <saml2:Subject>
      <saml2:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">a-pseudonym</saml2:NameID>
      <saml2:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
        <saml2:SubjectConfirmationData Address="192.0.2.7" InResponseTo="_a0b1c2d3" \
    NotOnOrAfter="2026-03-01T12:04:58Z" Recipient="https://portal.example/acs"/>
      </saml2:SubjectConfirmation>
    </saml2:Subject>
    <saml2:Conditions NotBefore="2026-03-01T11:59:58Z" NotOnOrAfter="2026-03-01T12:04:58Z">
      <saml2:AudienceRestriction><saml2:Audience>https://portal.example/sp</saml2:Audience></saml2:AudienceRestriction>
    </saml2:Conditions>
    <saml2:AuthnStatement AuthnInstant="2026-03-01T11:59:55Z" SessionIndex="_s1">
      <saml2:AuthnContext>
        <saml2:AuthnContextClassRef>http://id.elegnamnden.se/loa/1.0/loa3</saml2:AuthnContextClassRef>
      </saml2:AuthnContext>
    </saml2:AuthnStatement>
    <saml2:AttributeStatement>
      <saml2:Attribute FriendlyName="personalIdentityNumber" Name="urn:oid:1.2.752.29.4.13" \
    NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri">
        <saml2:AttributeValue xsi:type="xs:string">197001011234</saml2:AttributeValue>
      </saml2:Attribute>
      <saml2:Attribute FriendlyName="displayName" Name="urn:oid:2.16.840.1.113730.3.1.241" \
    NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri">
        <saml2:AttributeValue xsi:type="xs:string">Astrid Exempel</saml2:AttributeValue>
      </saml2:Attribute>
    </saml2:AttributeStatement>
    </saml2:Assertion>
    """;
  }

  /** Signed as it should be; the document's element is the assertion. */
  public static Document signed(String assertion) {
    Document document = Xml.parse(assertion);
    XmlSigning.by(RSA).sign(document.getDocumentElement());
    return document;
  }

  /** A response, not signed, with what is put into it. */
  public static Document response(Document assertion) {
    Document document =
        Xml.parse(
            """
            <saml2p:Response xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response1" \
            InResponseTo="_a0b1c2d3" IssueInstant="2026-03-01T11:59:58.120Z" Version="2.0" \
            Destination="https://portal.example/acs">\
            <saml2:Issuer xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion">\
            https://idp.example/saml</saml2:Issuer>\
            <saml2p:Status><saml2p:StatusCode \
            Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></saml2p:Status>\
            </saml2p:Response>
            """);
    document
        .getDocumentElement()
        .appendChild(document.importNode(assertion.getDocumentElement(), true));
    return document;
  }

  /** Metadata of the federation, with this provider among others, not signed. */
  public static String metadata(KeyPair... keys) {
    StringBuilder descriptors = new StringBuilder();
    for (KeyPair pair : keys) {
      descriptors.append(
          """
          <md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>%s\
          </ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
          """
              .formatted(base64(certificate(pair))));
    }
    return """
    <md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" \
    xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ID="_metadata1" \
    validUntil="2026-03-08T00:00:00Z" cacheDuration="PT30M">
      <md:EntityDescriptor entityID="https://idp.example/saml">
        <md:Extensions><x:Unknown xmlns:x="urn:example:unknown" y="1"/></md:Extensions>
        <md:IDPSSODescriptor \
    protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
          %s<md:SingleSignOnService \
    Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" \
    Location="https://idp.example/sso"/>
        </md:IDPSSODescriptor>
      </md:EntityDescriptor>
      <md:EntityDescriptor entityID="https://portal.example/sp">
        <md:SPSSODescriptor \
    protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
          <md:AssertionConsumerService index="0" \
    Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" \
    Location="https://portal.example/acs"/>
        </md:SPSSODescriptor>
      </md:EntityDescriptor>
    </md:EntitiesDescriptor>
    """
        .formatted(descriptors);
  }

  public static String signedMetadata(String metadata) {
    Document document = Xml.parse(metadata);
    Element root = document.getDocumentElement();
    XmlSigning.by(FEDERATION).sign(root);
    return Xml.text(document);
  }

  public static Path federationCertificate(Path directory) throws IOException {
    return Files.writeString(directory.resolve("federation.pem"), pem(FEDERATION));
  }

  public static String pem(KeyPair keys) {
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
        .formatted(base64(certificate(keys)));
  }

  public static X509Certificate certificate(KeyPair keys) {
    try {
      X500Name name = new X500Name("CN=idp.example");
      return new JcaX509CertificateConverter()
          .getCertificate(
              new JcaX509v3CertificateBuilder(
                      name,
                      BigInteger.ONE,
                      Date.from(NOW.minus(Duration.ofDays(1))),
                      Date.from(NOW.plus(Duration.ofDays(365))),
                      name,
                      keys.getPublic())
                  .build(
                      new JcaContentSignerBuilder(
                              keys.getPrivate().getAlgorithm().equals("RSA")
                                  ? "SHA256withRSA"
                                  : "SHA256withECDSA")
                          .build(keys.getPrivate())));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static String base64(X509Certificate certificate) {
    try {
      return Base64.getMimeEncoder().encodeToString(certificate.getEncoded());
    } catch (java.security.cert.CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  public static KeyPair generate(String algorithm, @Nullable String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (curve == null) {
        generator.initialize(2048);
      } else {
        generator.initialize(new ECGenParameterSpec(curve));
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
