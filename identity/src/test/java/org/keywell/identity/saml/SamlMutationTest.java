package org.keywell.identity.saml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.testkit.Mutations;
import org.keywell.testkit.saml.TestIdentityProvider;
import org.keywell.testkit.saml.Xml;
import org.keywell.testkit.saml.XmlSigning;
import org.w3c.dom.Document;

/** Each altered assertion proves who signs or is refused as such; nothing else is thrown. */
@Timeout(60)
final class SamlMutationTest {

  private static final int EACH = 3_000;

  private final SamlProofs proofs = TrustedProvider.proofs(TestIdentityProvider.EC);
  private final Mutations xml = Mutations.ofXml();
  private final Set<ProofRefusal> seen = EnumSet.noneOf(ProofRefusal.class);
  private int proven;

  private void check(String ticket, String what, int seed) {
    try {
      var _ = proofs.verify(ticket, TrustedProvider.context());
      proven++;
    } catch (ProofRefusedException e) {
      seen.add(e.reason());
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("%s, seed %d: %s".formatted(what, seed, e), e);
    }
  }

  private static String base64(byte[] document) {
    return Base64.getEncoder().encodeToString(document);
  }

  @Test
  void alteredDocumentsAreRefused() {
    Document assertion = byProvider(TestIdentityProvider.assertion());
    byte[] alone = Xml.text(assertion).getBytes(UTF_8);
    byte[] response = Xml.text(TestIdentityProvider.response(assertion)).getBytes(UTF_8);
    for (int seed = 0; seed < EACH; seed++) {
      byte[] original = seed % 2 == 0 ? alone : response;
      check(base64(xml.of(original, new Random(seed))), "document", seed);
    }
    assertThat(seen).contains(ProofRefusal.MALFORMED, ProofRefusal.UNTRUSTED);
    assertThat(proven).as("some say nothing that is signed").isPositive();
  }

  @Test
  void alteredBase64IsRefused() {
    Document assertion = byProvider(TestIdentityProvider.assertion());
    byte[] good = base64(Xml.text(assertion).getBytes(UTF_8)).getBytes(US_ASCII);
    for (int seed = 0; seed < EACH; seed++) {
      byte[] altered = Mutations.ofHead().of(good, new Random(seed));
      check(new String(altered, ISO_8859_1), "base64", seed);
    }
    assertThat(seen).contains(ProofRefusal.MALFORMED);
  }

  /** As a provider would send them that has lost its mind. */
  @Test
  void alteredAssertionsOfAProviderAreRefused() {
    byte[] good = TestIdentityProvider.assertion().getBytes(UTF_8);
    int signed = 0;
    for (int seed = 0; seed < EACH; seed++) {
      Optional<byte[]> ticket = signed(xml.of(good, new Random(seed)));
      if (ticket.isPresent()) {
        signed++;
        check(base64(ticket.get()), "assertion", seed);
      }
    }
    assertThat(signed).isGreaterThan(EACH / 20);
    assertThat(seen)
        .contains(
            ProofRefusal.MALFORMED,
            ProofRefusal.UNTRUSTED,
            ProofRefusal.ATTRIBUTES,
            ProofRefusal.WRONG_AUDIENCE);
    assertThat(proven).as("some say nothing that counts").isPositive();
  }

  /** Returns nothing for what no provider can sign, since it is not XML. */
  private static Optional<byte[]> signed(byte[] assertion) {
    try {
      return Optional.of(Xml.text(byProvider(new String(assertion, UTF_8))).getBytes(UTF_8));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Document byProvider(String assertion) {
    Document document = Xml.parse(assertion);
    XmlSigning.by(TestIdentityProvider.EC).sign(document.getDocumentElement());
    return document;
  }
}
