package org.keywell.identity.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProviderDocuments;
import org.keywell.testkit.jwt.Issuer;
import org.keywell.testkit.jwt.JwksServer;

/** What the check of a ticket costs the thread of its request: printed, on one core. */
@Tag("experiment")
@Timeout(120)
final class JwtProofsCostIT {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final int CHECKS = 2_000;
  private static final int ROUNDS = 5;

  /** Far above what it is: a fetch for each ticket would be. */
  private static final double MOST_MICROS = 5_000;

  @Test
  void checksOfTickets(@TempDir Path directory) throws Exception {
    RSAKey rsa = Issuer.rsa("rsa-1");
    ECKey ec = Issuer.ec("ec-1");
    Path file = Files.writeString(directory.resolve("jwks.json"), JwksServer.documentOf(rsa, ec));
    try (ProviderDocuments documents = new ProviderDocuments(Duration.ofSeconds(3));
        JwtProofs proofs =
            new JwtProofs(
                List.of(
                    JwtProofsTest.settings(file.toString(), null, JwtProviderSettings.ALGORITHMS)),
                documents,
                InstantSource.system())) {
      measure(proofs, "RS256, 2048 bits", rsa, UnaryOperator.identity());
      measure(
          proofs,
          "PS256, 2048 bits",
          rsa,
          _ -> new JWSHeader.Builder(JWSAlgorithm.PS256).keyID("rsa-1"));
      measure(proofs, "ES256", ec, UnaryOperator.identity());
    }
  }

  /** The best round: what else runs on the machine makes the others longer. */
  private static void measure(
      JwtProofs proofs, String name, JWK key, UnaryOperator<JWSHeader.Builder> header) {
    String ticket = Issuer.ticket(key, Issuer.claims(NOW).build(), header);
    ProofContext context =
        new ProofContext(NOW, UUID.randomUUID(), "SHA-256", List.of(new byte[32]));
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long began = System.nanoTime();
      for (int i = 0; i < CHECKS; i++) {
        assertThat(proofs.verify(ticket, context).attributes().size()).isEqualTo(2);
      }
      best = Math.min(best, (System.nanoTime() - began) / 1_000.0 / CHECKS);
    }
    System.out.printf("checking a ticket by %s takes %.0f µs%n", name, best);
    assertThat(best).isLessThan(MOST_MICROS);
  }
}
