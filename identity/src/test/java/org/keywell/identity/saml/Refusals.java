package org.keywell.identity.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;

final class Refusals {

  private Refusals() {}

  static void assertRefused(SamlProofs proofs, String ticket, ProofRefusal reason) {
    assertRefused(proofs, ticket, TrustedProvider.context(), reason);
  }

  static void assertRefused(
      SamlProofs proofs, String ticket, ProofContext context, ProofRefusal reason) {
    assertRefused(() -> proofs.verify(ticket, context), reason);
  }

  static void assertRefused(Runnable attempt, ProofRefusal reason) {
    ProofRefusedException refused = catchThrowableOfType(ProofRefusedException.class, attempt::run);
    assertThat(refused).as("nothing was refused").isNotNull();
    assertThat(refused.reason()).as(refused.detail()).isEqualTo(reason);
    // Neither the signer's name nor anything else of the ticket.
    assertThat(refused.detail()).doesNotContain("Astrid", "197001011234", "Mallory");
  }
}
