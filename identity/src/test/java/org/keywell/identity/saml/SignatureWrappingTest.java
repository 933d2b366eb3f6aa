package org.keywell.identity.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.identity.saml.TrustedProvider.context;
import static org.keywell.identity.saml.TrustedProvider.proofs;
import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.assertion;
import static org.keywell.testkit.saml.TestIdentityProvider.response;
import static org.keywell.testkit.saml.TestIdentityProvider.signed;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.keywell.identity.ProofRefusal;
import org.keywell.testkit.saml.SignatureWrapping;
import org.keywell.testkit.saml.Xml;
import org.keywell.testkit.saml.XmlSigning;
import org.w3c.dom.Document;

/** Each wrapped signature is refused by more than one rule. */
final class SignatureWrappingTest {

  private final SamlProofs proofs = proofs(RSA);

  @TestFactory
  Stream<DynamicTest> eachIsRefusedAlthoughItsSignatureIsValid() {
    return SignatureWrapping.ALL.stream()
        .map(wrapping ->
            DynamicTest.dynamicTest(
                wrapping.name(),
                () -> {
                  Document attack = wrapping.attack(assertion());
                  assertThat(Xml.text(attack)).contains("Mallory Exempel", "Astrid Exempel");
                  // XSW6 has it where the JDK takes nothing but keys and objects.
                  assertThat(isValidForTheCareless(attack))
                      .isEqualTo(!wrapping.name().equals("XSW6"));

                  Refusals.assertRefused(proofs, Xml.ticket(attack), ProofRefusal.MALFORMED);
                }));
  }

  @Test
  void theSignatureIsTiedToItsElementByItself() {
    Set<String> keepTheSignature = Set.of("XSW5", "XSW6", "XSW8", "in key info");
    for (SignatureWrapping wrapping : SignatureWrapping.ALL) {
      if (!keepTheSignature.contains(wrapping.name())) {
        continue;
      }
      Document attack = wrapping.attack(assertion());
      SamlElement forged = new SamlElement(Xml.first(attack, "Assertion"));
      assertThat(forged.required("ID")).isEqualTo("_forged");

      Refusals.assertRefused(
          () -> EnvelopedSignature.verify(forged, List.of(RSA.getPublic())),
          ProofRefusal.UNTRUSTED);
    }
  }

  @Test
  void withoutTheForgeryTheOriginalIsTaken() {
    Document response = response(signed(assertion()));

    assertThat(isValidForTheCareless(response)).isTrue();
    assertThat(proofs.verify(Xml.ticket(response), context()).reference()).isEqualTo("_assertion1");
  }

  /** As a verifier does that takes any signature and lets any ID be meant. */
  private static boolean isValidForTheCareless(Document document) {
    try {
      Document copy = Xml.parse(Xml.text(document));
      DOMValidateContext context =
          new DOMValidateContext(RSA.getPublic(), Xml.first(copy, "Signature"));
      XmlSigning.registerIds(copy.getDocumentElement(), context);
      XMLSignature signature = XmlSigning.FACTORY.unmarshalXMLSignature(context);
      return signature.validate(context);
    } catch (MarshalException e) {
      return false;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
