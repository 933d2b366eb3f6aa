package org.keywell.identity.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.identity.saml.TrustedProvider.context;
import static org.keywell.identity.saml.TrustedProvider.proofs;
import static org.keywell.testkit.saml.TestIdentityProvider.EC;
import static org.keywell.testkit.saml.TestIdentityProvider.NOW;
import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.assertion;
import static org.keywell.testkit.saml.TestIdentityProvider.response;
import static org.keywell.testkit.saml.TestIdentityProvider.signed;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofType;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.ProvenIdentity.Attested;
import org.keywell.identity.TicketReference;
import org.keywell.testkit.saml.Xml;
import org.keywell.testkit.saml.XmlSigning;
import org.w3c.dom.Document;

/** What an honest provider's assertion proves, and what it has to say. */
final class SamlProofsTest {

  private final SamlProofs proofs = proofs(RSA);

  @Test
  void anAssertionProvesWhoSigns() {
    ProvenIdentity identity = proofs.verify(Xml.ticket(signed(assertion())), context());

    assertThat(identity.provider()).isEqualTo("https://idp.example/saml");
    assertThat(identity.authenticated()).isEqualTo("2026-03-01T11:59:55Z");
    assertThat(identity.levelOfAssurance()).isEqualTo("http://id.elegnamnden.se/loa/1.0/loa3");
    assertThat(identity.reference()).isEqualTo("_assertion1");
    assertThat(identity.sha256())
        .isEqualTo(
            TicketReference.sha256(ProofType.SAML, "https://idp.example/saml", "_assertion1"));
    // Its signer's authentication is too old before its conditions end.
    assertThat(identity.usableUntil()).isEqualTo("2026-03-01T12:05:25Z");
    assertThat(identity.attributes())
        .containsExactly(
            new Attested(
                "urn:oid:1.2.752.29.4.13",
                SubjectAttribute.SERIAL_NUMBER,
                "PNOSE-197001011234",
                "197001011234"),
            new Attested(
                "urn:oid:2.16.840.1.113730.3.1.241",
                SubjectAttribute.COMMON_NAME,
                "Astrid Exempel",
                "Astrid Exempel"),
            new Attested(null, SubjectAttribute.COUNTRY, "SE", "SE"));
  }

  @Test
  void soDoesAResponseThatHasIt() {
    Document response = response(signed(assertion()));
    assertThat(proofs.verify(Xml.ticket(response), context()).reference()).isEqualTo("_assertion1");

    XmlSigning.by(RSA).sign(response.getDocumentElement());
    assertThat(proofs.verify(Xml.ticket(response), context()).reference()).isEqualTo("_assertion1");
  }

  @Test
  void anyOfTheProvidersKeysMaySign() {
    Document byEc = Xml.parse(assertion());
    XmlSigning.by(EC).sign(byEc.getDocumentElement());

    assertThat(proofs(RSA, EC).verify(Xml.ticket(byEc), context()).reference())
        .isEqualTo("_assertion1");
    Refusals.assertRefused(proofs, Xml.ticket(byEc), ProofRefusal.UNTRUSTED);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T11:59:27Z, NOT_VALID_NOW", // its issue lies ahead by more than the skew
    "2026-03-01T11:59:29Z,",
    "2026-03-01T12:05:24Z,",
    "2026-03-01T12:05:25Z, NOT_VALID_NOW", // the authentication's age and the skew
    "2026-03-02T00:00:00Z, NOT_VALID_NOW",
  })
  void itHoldsForItsTime(Instant now, ProofRefusal refusal) {
    ProofContext then =
        new ProofContext(now, context().requestId(), "SHA-256", List.of(new byte[32]), "_a0b1c2d3");
    String ticket = Xml.ticket(signed(assertion()));
    if (refusal == null) {
      assertThat(proofs.verify(ticket, then).reference()).isEqualTo("_assertion1");
    } else {
      Refusals.assertRefused(proofs, ticket, then, refusal);
    }
  }

  @ParameterizedTest(name = "{0} -> {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Version=\"2.0\" | Version=\"2.1\" | MALFORMED",
        "NotBefore=\"2026-03-01T11:59:58Z\" NotOnOrAfter=\"2026-03-01T12:04:58Z\" | NotBefore=\"2026-03-01T11:00:00Z\" NotOnOrAfter=\"2026-03-01T11:59:00Z\" | NOT_VALID_NOW",
        "NotBefore=\"2026-03-01T11:59:58Z\" | NotBefore=\"2026-03-01T12:00:31Z\" | NOT_VALID_NOW",
        "NotBefore=\"2026-03-01T11:59:58Z\" |  | MALFORMED",
        "NotOnOrAfter=\"2026-03-01T12:04:58Z\" Recipient | NotOnOrAfter=\"2026-03-01T11:59:30Z\" Recipient | NOT_VALID_NOW",
        "AuthnInstant=\"2026-03-01T11:59:55Z\" | AuthnInstant=\"2026-03-01T11:54:30Z\" | NOT_VALID_NOW",
        "AuthnInstant=\"2026-03-01T11:59:55Z\" | AuthnInstant=\"2026-03-01T12:00:31Z\" | NOT_VALID_NOW",
        "IssueInstant=\"2026-03-01T11:59:58.120Z\" | IssueInstant=\"2026-03-01T13:59:58.120+01:00\" | NOT_VALID_NOW",
        "IssueInstant=\"2026-03-01T11:59:58.120Z\" | IssueInstant=\"2026-03-01T24:00:00Z\" | MALFORMED",
        "<saml2:Audience>https://portal.example/sp | <saml2:Audience>https://other.example/sp | WRONG_AUDIENCE",
        "</saml2:AudienceRestriction> | </saml2:AudienceRestriction><saml2:AudienceRestriction><saml2:Audience>https://other.example/sp</saml2:Audience></saml2:AudienceRestriction> | WRONG_AUDIENCE",
        "<saml2:AudienceRestriction><saml2:Audience>https://portal.example/sp</saml2:Audience></saml2:AudienceRestriction> | <saml2:OneTimeUse/> | WRONG_AUDIENCE",
        "Recipient=\"https://portal.example/acs\" | Recipient=\"https://other.example/acs\" | WRONG_AUDIENCE",
        "Recipient=\"https://portal.example/acs\" |  | MALFORMED",
        "InResponseTo=\"_a0b1c2d3\" | InResponseTo=\"_another\" | NOT_BOUND",
        "InResponseTo=\"_a0b1c2d3\" |  | MALFORMED",
        "cm:bearer | cm:holder-of-key | MALFORMED",
        "loa/1.0/loa3 | loa/1.0/loa2 | ASSURANCE_TOO_LOW",
        "https://idp.example/saml< | https://stranger.example/saml< | UNTRUSTED",
        "<saml2:Issuer> | <saml2:Issuer Format=\"urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName\"> | MALFORMED",
        "urn:oid:1.2.752.29.4.13 | urn:oid:1.2.752.29.4.99 | ATTRIBUTES",
        "urn:oid:1.2.752.29.4.13 | urn:oid:2.16.840.1.113730.3.1.241 | MALFORMED",
        "197001011234 | 1970 0101 | ATTRIBUTES",
        "Exempel</saml2:AttributeValue> | Exempel</saml2:AttributeValue><saml2:AttributeValue>Eva</saml2:AttributeValue> | ATTRIBUTES",
        "<saml2:AttributeValue xsi:type=\"xs:string\">Astrid Exempel | <saml2:AttributeValue><saml2:NameID>Astrid</saml2:NameID> | MALFORMED",
        "Astrid Exempel | Astrid\u202EExempel | ATTRIBUTES",
      })
  void aRuleThatIsBrokenRefusesIt(String text, String replacement, ProofRefusal refusal) {
    assertThat(assertion()).contains(text);

    String ticket =
        Xml.ticket(signed(assertion().replace(text, replacement == null ? "" : replacement)));

    Refusals.assertRefused(proofs, ticket, refusal);
  }

  @Test
  void timesWithoutZoneAreOfUtc() {
    String unzoned = assertion().replaceAll("(T\\d\\d:\\d\\d:\\d\\d)Z", "$1");

    assertThat(proofs.verify(Xml.ticket(signed(unzoned)), context()).authenticated())
        .isEqualTo("2026-03-01T11:59:55Z");
  }

  @Test
  void theCallerSaysWhatItAnswers() {
    ProofContext silent =
        new ProofContext(NOW, context().requestId(), "SHA-256", List.of(new byte[32]));

    Refusals.assertRefused(proofs, Xml.ticket(signed(assertion())), silent, ProofRefusal.NOT_BOUND);
  }
}
