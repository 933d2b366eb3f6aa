package org.keywell.identity.saml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.keywell.settings.StrictYaml;
import org.keywell.testkit.saml.SamlAttempts;

/** All attempts together, as a service meets them that was configured by files. */
final class SamlAttemptsTest {

  private static final Instant NOW = Instant.parse("2027-05-06T07:08:09.123456789Z");

  record File(List<SamlProviderSettings> saml) {}

  @Test
  void theGoodAreTakenAndTheBadRefused(@TempDir Path directory) throws Exception {
    SamlAttempts attempts = new SamlAttempts(NOW);
    Path metadata = Files.writeString(directory.resolve("md.xml"), attempts.metadata());
    Path certificate =
        Files.writeString(directory.resolve("md.pem"), SamlAttempts.metadataCertificate());
    byte[] yaml =
        SamlAttempts.providersFile(metadata.toString(), certificate.toString()).getBytes(UTF_8);
    List<SamlProviderSettings> providers =
        StrictYaml.bind("providers.yaml", yaml, "identity", File.class).saml();
    assertThat(providers.getFirst().metadata()).isEqualTo(ProviderAddress.of(metadata.toString()));
    SamlProofs proofs =
        new SamlProviders(new ProviderDocuments(Duration.ofSeconds(1)), Runnable::run)
            .proofs(providers, NOW);
    ProofContext context =
        new ProofContext(
            NOW,
            TrustedProvider.context().requestId(),
            "SHA-256",
            List.of(new byte[32]),
            SamlAttempts.IN_RESPONSE_TO);

    assertThat(proofs.verify(attempts.genuine("_a7"), context).reference()).isEqualTo("_a7");
    assertThat(attempts.bad()).hasSizeGreaterThan(25);
    for (SamlAttempts.Attempt attempt : attempts.bad()) {
      Refusals.assertRefused(
          proofs, attempt.ticket(), context, ProofRefusal.valueOf(attempt.reason()));
    }
  }
}
