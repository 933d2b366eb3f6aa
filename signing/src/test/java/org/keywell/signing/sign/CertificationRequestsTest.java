package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.keywell.ca.AuthenticationContext;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.ProvenIdentity.Attested;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignRequest;

final class CertificationRequestsTest {

  private static SignRequest identifiedBy(ProvenIdentity identity) {
    SignRequest any = SampleRequests.any();
    return new SignRequest(
        any.requestId(),
        any.fingerprint(),
        any.form(),
        any.digestAlgorithm(),
        any.digests(),
        any.scheme(),
        any.keySpec(),
        any.subject(),
        "short-lived",
        identity,
        any.deadline(),
        any.caller(),
        any.testId());
  }

  /** Sweden's eID framework: as obtained from the assertion, not as in the subject. */
  @Test
  void theCertificateRepeatsTheProvidersOwnWords() {
    ProvenIdentity identity =
        new ProvenIdentity(
            "https://idp.example",
            Instant.EPOCH,
            "loa3",
            "_1",
            new byte[32],
            Instant.EPOCH,
            List.of(
                new Attested(
                    "pnr", SubjectAttribute.SERIAL_NUMBER, "PNOSE-197001011234", "197001011234"),
                new Attested(null, SubjectAttribute.COUNTRY, "SE", "SE")));

    var asked = CertificationRequests.of(identifiedBy(identity), new byte[0], new byte[0]);

    assertThat(asked.profile()).isEqualTo("short-lived");
    AuthenticationContext context = Objects.requireNonNull(asked.authentication());
    assertThat(context.identityProvider()).isEqualTo("https://idp.example");
    assertThat(context.assertionReference()).isEqualTo("_1");
    assertThat(context.attributes())
        .containsExactly(
            new AuthenticationContext.Mapping(
                "pnr", SubjectAttribute.SERIAL_NUMBER, "197001011234"));
  }

  @Test
  void whereNobodyIdentifiedTheSignerNothingIsSaid() {
    assertThat(
            CertificationRequests.of(SampleRequests.any(), new byte[0], new byte[0])
                .authentication())
        .isNull();
  }
}
