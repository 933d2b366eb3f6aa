package org.keywell.identity.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.identity.saml.TrustedProvider.context;
import static org.keywell.identity.saml.TrustedProvider.proofs;
import static org.keywell.testkit.saml.TestIdentityProvider.EC;
import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.assertion;

import java.security.KeyPair;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.testkit.saml.Xml;
import org.keywell.testkit.saml.XmlSigning;
import org.w3c.dom.Document;

/** What the check of an assertion costs; of use on a machine that does nothing else. */
@Tag("experiment")
@Timeout(120)
final class SamlProofsCostIT {

  private static final int CHECKS = 2_000;
  private static final int ROUNDS = 5;

  @Test
  void checksOfAssertions() {
    measure("RSA-2048", RSA);
    measure("ECDSA on P-256", EC);
  }

  /** The best round: what else runs on the machine makes the others longer. */
  private static void measure(String name, KeyPair keys) {
    SamlProofs proofs = proofs(keys);
    Document document = Xml.parse(assertion());
    XmlSigning.by(keys).sign(document.getDocumentElement());
    String ticket = Xml.ticket(document);
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long began = System.nanoTime();
      for (int i = 0; i < CHECKS; i++) {
        assertThat(proofs.verify(ticket, context()).reference()).isEqualTo("_assertion1");
      }
      best = Math.min(best, (System.nanoTime() - began) / 1_000.0 / CHECKS);
    }
    System.out.printf("checking an assertion by %s takes %.0f µs%n", name, best);
  }
}
