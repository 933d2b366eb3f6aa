package org.keywell.identity.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.testkit.jwt.Issuer.claims;
import static org.keywell.testkit.jwt.Issuer.ticket;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.keywell.settings.StartRefusedException;
import org.keywell.testkit.ManualTime;
import org.keywell.testkit.jwt.Issuer;
import org.keywell.testkit.jwt.JwksServer;

/** An issuer whose keys change, or cannot be had. */
@Timeout(60)
final class ProviderKeysTest {

  private static final Duration REFRESHED = Duration.ofMinutes(5);
  private static final Duration KEPT = Duration.ofHours(1);
  private static final ECKey OLD = Issuer.ec("1");
  private static final ECKey NEW = Issuer.ec("2");

  private final ManualTime time = new ManualTime();
  private final JwksServer jwks = new JwksServer(OLD);
  private final ProviderDocuments documents = new ProviderDocuments(Duration.ofSeconds(3));
  private final ExecutorService background = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    background.shutdownNow();
    documents.close();
    jwks.close();
  }

  @Test
  void aNewKeyIsFoundAtOnce() {
    JwtProvider provider = provider(KEPT);
    assertThat(refusal(provider, OLD)).isNull();
    jwks.publish(OLD, NEW);

    assertThat(refusal(provider, NEW)).isNull();
    assertThat(refusal(provider, OLD)).isNull();
    assertThat(jwks.fetches()).isEqualTo(2);
  }

  @Test
  void aKeyThatIsWithdrawnIsForgotten() {
    JwtProvider provider = provider(KEPT);
    assertThat(refusal(provider, OLD)).isNull();
    jwks.publish(NEW);
    assertThat(refusal(provider, OLD)).isNull();
    time.advance(REFRESHED.plusSeconds(1));

    assertThat(refusal(provider, OLD)).isEqualTo(ProofRefusal.UNTRUSTED);
    assertThat(refusal(provider, NEW)).isNull();
  }

  /** Else who may call at all could have the provider asked as often as it likes. */
  @Test
  void unknownKeysAreNoReasonToAskTheProviderAgainAndAgain() {
    JwtProvider provider = provider(KEPT);
    assertThat(refusal(provider, OLD)).isNull();
    for (int i = 0; i < 100; i++) {
      assertThat(refusal(provider, Issuer.ec("unknown " + i))).isEqualTo(ProofRefusal.UNTRUSTED);
    }
    assertThat(jwks.fetches()).isEqualTo(2);

    jwks.publish(OLD, NEW);
    time.advance(ProviderKeys.INTERVAL);
    assertThat(refusal(provider, NEW)).isNull();
  }

  @Test
  void withoutKeysNothingIsTrustedUntilTheyCome() {
    jwks.fail(500);
    JwtProvider provider = provider(KEPT);

    for (int i = 0; i < 10; i++) {
      assertThat(refusal(provider, OLD)).isEqualTo(ProofRefusal.PROVIDER_UNAVAILABLE);
    }
    assertThat(jwks.fetches()).isEqualTo(2);
    jwks.recover();
    time.advance(ProviderKeys.INTERVAL);
    assertThat(refusal(provider, OLD)).isNull();
  }

  @Test
  void knownKeysServeForAWhileIfTheProviderIsAway() {
    JwtProvider provider = provider(KEPT);
    assertThat(refusal(provider, OLD)).isNull();
    jwks.fail(503);
    time.advance(Duration.ofMinutes(50));

    assertThat(refusal(provider, OLD)).isNull();
    assertThat(refusal(provider, NEW)).isEqualTo(ProofRefusal.PROVIDER_UNAVAILABLE);
    time.advance(KEPT.plus(REFRESHED));
    assertThat(refusal(provider, OLD)).isEqualTo(ProofRefusal.PROVIDER_UNAVAILABLE);
  }

  @Test
  void orForNoneIfTheOperatorWantsItSo() {
    JwtProvider provider = provider(Duration.ZERO);
    assertThat(refusal(provider, OLD)).isNull();
    jwks.fail(503);
    time.advance(REFRESHED.plusSeconds(1));

    assertThat(refusal(provider, OLD)).isEqualTo(ProofRefusal.PROVIDER_UNAVAILABLE);
  }

  @Test
  void whatIsNoKeySetIsNone() {
    JwtProvider provider = provider(KEPT);
    for (String document : List.of("", "<html>", "{}", "{\"keys\":[]}", "x".repeat(300_000))) {
      jwks.publish(document);
      assertThat(refusal(provider, OLD)).isEqualTo(ProofRefusal.PROVIDER_UNAVAILABLE);
      time.advance(ProviderKeys.INTERVAL);
    }
  }

  @Test
  void onlyPublicKeysForSignaturesCount() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    RSAKey weak =
        new RSAKey.Builder((RSAPublicKey) generator.generateKeyPair().getPublic())
            .keyID("1")
            .build();
    OctetSequenceKey secret = new OctetSequenceKeyGenerator(256).keyID("1").generate();
    ECKey forEncryption = new ECKey.Builder(OLD).keyUse(KeyUse.ENCRYPTION).build();
    for (JWK key : List.of(weak, forEncryption)) {
      jwks.publish(key);
      assertThat(refusal(provider(KEPT), OLD)).isEqualTo(ProofRefusal.PROVIDER_UNAVAILABLE);
    }
    for (JWK key : List.of(secret, OLD)) {
      jwks.publish("{\"keys\":[" + key.toJSONString() + "]}");
      assertThat(refusal(provider(KEPT), OLD)).isEqualTo(ProofRefusal.PROVIDER_UNAVAILABLE);
    }
  }

  @Test
  void aFileOfKeysHasToBeThereAtTheStart(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("keys.json");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> proofs(file))
        .withMessageContaining(Issuer.ISSUER)
        .withMessageContaining(file.toString());
    Files.writeString(file, "{}");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> proofs(file))
        .withMessageContaining(file.toString());
    Files.writeString(file, JwksServer.documentOf(OLD));
    try (JwtProofs proofs = proofs(file)) {
      assertThat(proofs.verify(ticket(OLD, claims(now()).build()), context())).isNotNull();
      Files.writeString(file, JwksServer.documentOf(NEW));
      assertThat(proofs.verify(ticket(NEW, claims(now()).build()), context())).isNotNull();
    }
  }

  private JwtProofs proofs(Path file) {
    return new JwtProofs(
        List.of(JwtProofsTest.settings(file.toString(), null, JwtProviderSettings.ALGORITHMS)),
        documents,
        time);
  }

  private JwtProvider provider(Duration kept) {
    JwtProviderSettings settings =
        JwtProofsTest.settings(jwks.url(), null, JwtProviderSettings.ALGORITHMS);
    return new JwtProvider(
        settings,
        new ProviderKeys(
            ProviderAddress.of(jwks.url()), documents, REFRESHED, kept, background, time));
  }

  private @Nullable ProofRefusal refusal(JwtProvider provider, ECKey key) {
    try {
      var _ = provider.verify(SignedJWT.parse(ticket(key, claims(now()).build())), context());
      return null;
    } catch (ProofRefusedException e) {
      return e.reason();
    } catch (ParseException e) {
      throw new AssertionError(e);
    }
  }

  private Instant now() {
    return time.instant();
  }

  private ProofContext context() {
    return new ProofContext(now(), UUID.randomUUID(), "SHA-256", List.of(new byte[32]));
  }
}
