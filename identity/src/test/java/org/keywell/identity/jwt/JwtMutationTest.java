package org.keywell.identity.jwt;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.ECKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.AttributeRule;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.keywell.testkit.Mutations;
import org.keywell.testkit.jwt.Issuer;
import org.keywell.testkit.jwt.JwksServer;

/** Each altered ticket proves who signs or is refused as such; nothing else is thrown. */
@Timeout(60)
final class JwtMutationTest {

  private static final int EACH = 3_000;
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final ECKey KEY = Issuer.ec("ec-1");
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final JwksServer jwks = new JwksServer(KEY);
  private final ProviderDocuments documents = new ProviderDocuments(Duration.ofSeconds(3));
  private final JwtProofs proofs =
      new JwtProofs(List.of(settings()), documents, InstantSource.fixed(NOW));
  private final Mutations json = Mutations.ofJson();
  private final Set<ProofRefusal> seen = EnumSet.noneOf(ProofRefusal.class);
  private int proven;

  private JwtProviderSettings settings() {
    return new JwtProviderSettings(
        Issuer.ISSUER,
        ProviderAddress.of(jwks.url()),
        List.of(Issuer.AUDIENCE),
        Set.of("RS256", "ES256", "PS512"),
        List.of("JWT"),
        List.of(Issuer.LOA3),
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        null,
        Duration.ofMinutes(5),
        Duration.ofHours(1),
        List.of(
            new AttributeRule(SubjectAttribute.COMMON_NAME, "name", null, null, false),
            new AttributeRule(SubjectAttribute.SERIAL_NUMBER, "pnr", "PNOSE", null, false)));
  }

  @AfterEach
  void close() {
    proofs.close();
    documents.close();
    jwks.close();
  }

  private void check(String ticket, String what, int seed) {
    ProofContext context =
        new ProofContext(
            NOW,
            UUID.fromString("4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e"),
            "SHA-256",
            List.of(new byte[32]));
    try {
      var _ = proofs.verify(ticket, context);
      proven++;
    } catch (ProofRefusedException e) {
      seen.add(e.reason());
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("%s, seed %d: %s".formatted(what, seed, e), e);
    }
  }

  private static byte[] decoded(String part) {
    return Base64.getUrlDecoder().decode(part);
  }

  private static String signed(byte[] header, byte[] claims) throws Exception {
    String input = BASE64.encodeToString(header) + "." + BASE64.encodeToString(claims);
    Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initSign(KEY.toECPrivateKey());
    signature.update(input.getBytes(US_ASCII));
    return input + "." + BASE64.encodeToString(signature.sign());
  }

  private static String good() {
    return Issuer.ticket(KEY, Issuer.claims(NOW.minusSeconds(10)).build());
  }

  @Test
  void alteredBytesAreRefused() {
    byte[] good = good().getBytes(US_ASCII);
    for (int seed = 0; seed < EACH; seed++) {
      byte[] altered = Mutations.ofHead().of(good, new Random(seed));
      check(new String(altered, ISO_8859_1), "ticket", seed);
    }
    assertThat(seen).contains(ProofRefusal.MALFORMED, ProofRefusal.UNTRUSTED);
  }

  @Test
  void alteredHeadersAreRefused() throws Exception {
    String[] parts = good().split("\\.", -1);
    byte[] header =
        """
        {"alg":"ES256","kid":"ec-1","typ":"JWT","x5c":[""],"jwk":{"kty":"EC"},"zip":"DEF","b64":true}\
        """
            .getBytes(US_ASCII);
    for (int seed = 0; seed < EACH; seed++) {
      byte[] original = seed % 2 == 0 ? decoded(parts[0]) : header;
      byte[] altered = json.of(original, new Random(seed));
      check(signed(altered, decoded(parts[1])), "header", seed);
    }
    assertThat(seen).contains(ProofRefusal.MALFORMED, ProofRefusal.UNTRUSTED);
    assertThat(proven).as("some say nothing that counts").isPositive();
  }

  /** As a provider would send them that has lost its mind. */
  @Test
  void alteredClaimsOfAProviderAreRefused() throws Exception {
    String[] parts = good().split("\\.", -1);
    for (int seed = 0; seed < EACH; seed++) {
      byte[] altered = json.of(decoded(parts[1]), new Random(seed));
      check(signed(decoded(parts[0]), altered), "claims", seed);
    }
    assertThat(seen)
        .contains(
            ProofRefusal.MALFORMED,
            ProofRefusal.ATTRIBUTES,
            ProofRefusal.WRONG_AUDIENCE,
            ProofRefusal.NOT_VALID_NOW);
    assertThat(proven).as("some say nothing that counts").isPositive();
  }
}
