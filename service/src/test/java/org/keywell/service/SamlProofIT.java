package org.keywell.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.identity.saml.SamlAttempts;
import org.keywell.service.problem.ProblemType;
import org.keywell.service.running.HttpApi;
import org.keywell.service.running.RunningKeywell;
import org.keywell.service.running.Settings;
import org.keywell.service.running.SignBody;
import org.keywell.service.running.SignedAnswer;
import org.keywell.service.running.Site;

/** An assertion decides who signs; what is wrong with one leaves neither row nor spent key. */
final class SamlProofIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  @TempDir Path home;

  @Test
  void theGoodSignAndTheBadLeaveNoTrace() throws Exception {
    SamlAttempts attempts = new SamlAttempts(Instant.now());
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 2);
      try (RunningKeywell keywell =
          RunningKeywell.start(
              site.settings(
                  Settings.pool(SPEC, 2),
                  Map.of("keywell.identity.providers-file", providersFile(attempts).toString())))) {
        keywell.awaitLoaded(SPEC, 2);
        for (SamlAttempts.Attempt attempt : attempts.bad()) {
          HttpApi.Answer refused = keywell.http().sign(body(attempt.ticket()));

          assertThat(refused.problem())
              .as(attempt.name() + " " + refused.body())
              .isEqualTo(ProblemType.of(attempt.reason()).label());
        }
        assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isZero();
        assertThat(keywell.http().get("/pool").body().path("pools").path(0).path("used").asInt(-1))
            .isZero();

        HttpApi.Answer signed = keywell.http().sign(body(attempts.genuine("_a1")));

        assertThat(signed.status()).as(signed.body().toString()).isEqualTo(200);
        SignedAnswer answer = SignedAnswer.of(signed);
        answer.verify("SHA256withECDSA", "document".getBytes(UTF_8));
        assertThat(answer.chain().getFirst().getSubjectX500Principal().getName())
            .contains("CN=Astrid Exempel", "C=SE")
            .doesNotContain("Mallory");
      }
    }
  }

  private static SignBody body(String ticket) {
    return SignBody.of("document")
        .keySpec(SPEC)
        .without("signer")
        .with(
            "identityProof",
            Map.of("type", "saml", "value", ticket, "inResponseTo", SamlAttempts.IN_RESPONSE_TO));
  }

  private Path providersFile(SamlAttempts attempts) throws Exception {
    Path metadata = Files.writeString(home.resolve("metadata.xml"), attempts.metadata());
    Path certificate =
        Files.writeString(home.resolve("federation.pem"), SamlAttempts.metadataCertificate());
    return Files.writeString(
        home.resolve("providers.yaml"),
        SamlAttempts.providersFile(metadata.toString(), certificate.toString()));
  }
}
