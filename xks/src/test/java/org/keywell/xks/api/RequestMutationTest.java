package org.keywell.xks.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;
import org.keywell.keypool.hsm.pkcs11.TokenAesKeys;
import org.keywell.keypool.hsm.pkcs11.TokenBootstrap;
import org.keywell.listener.http.HttpAnswer;
import org.keywell.listener.http.HttpRequest;
import org.keywell.testkit.Mutations;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;
import org.keywell.xks.auth.SignedDraft;
import org.keywell.xks.error.XksError;
import org.keywell.xks.hsm.KeyHsm;
import org.keywell.xks.hsm.KeyHsms;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.XksKey;
import org.keywell.xks.store.XksKeys;

/** Each altered request gets an error that is the client's, or succeeds. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(120)
final class RequestMutationTest {

  private static final int EACH = 2_000;
  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");

  /** What none of them may get: nothing here fails. */
  private static final Set<XksError> OURS =
      Set.of(XksError.INTERNAL, XksError.DEPENDENCY_TIMEOUT, XksError.THROTTLING);

  private static final String METADATA =
      """
      "requestMetadata":{"awsPrincipalArn":"arn:aws:iam::123:user/Astrid","kmsOperation":"Encrypt",\
      "kmsKeyArn":"arn:aws:kms:eu-north-1:123:key/1","kmsRequestId":"4112f4d6","kmsViaService":"ebs"}\
      """;

  private static Pkcs11Hsm hsm;
  private static HikariDataSource dataSource;
  private static XksApi api;
  private static final Map<String, String> BODIES = new HashMap<>();

  private final Set<String> seen = new TreeSet<>();

  @BeforeAll
  static void start() {
    Pkcs11Config config =
        new Pkcs11Config(
            SoftHsm2.module(),
            "xks-" + UUID.randomUUID().toString().substring(0, 18),
            "keywell",
            Optional.empty(),
            8);
    char[] digits = RandomPin.characters();
    try (Pin soPin = Pin.of(RandomPin.characters());
        Pin pin = Pin.of(digits.clone())) {
      TokenBootstrap.ensureToken(config, soPin, pin);
      TokenBootstrap.ensureWrappingKey(config, pin);
    }
    hsm = Pkcs11Hsm.open(config, () -> Pin.of(digits.clone()));
    dataSource = PostgresForTests.newDatabase().asService().dataSource();
    XksKeys keys = new XksKeys(dataSource, "test");
    byte[] id = TokenAesKeys.newId();
    assertThat(keys.intend("foo", id)).isTrue();
    TokenAesKey key = hsm.tokenAesKeys().generate(XksKey.label("foo"), id);
    assertThat(keys.create("foo", key, KeyUsage.ENCRYPT_DECRYPT)).isTrue();
    KeyHsm device =
        new KeyHsm("east", "SoftHSM", () -> false, hsm.tokenAesKeys(), new Semaphore(4));
    api =
        new XksApi(
            "",
            SignedDraft.check(InstantSource.fixed(NOW)),
            keys,
            new KeyHsms(() -> List.of(device)),
            "1",
            () -> 1,
            10,
            Duration.ofSeconds(30),
            AnswerListener.NONE);
    BODIES.put(
        "encrypt",
        """
        {%s,"plaintext":"AAECAwQ=","encryptionAlgorithm":"AES_GCM",\
        "additionalAuthenticatedData":"AAEC","ciphertextDataIntegrityValueAlgorithm":"SHA_256"}\
        """
            .formatted(METADATA));
    BODIES.put("metadata", "{%s}".formatted(METADATA));
    BODIES.put("health", "{%s}".formatted(METADATA));
    String encrypted = answer("encrypt", body("encrypt")).json();
    BODIES.put(
        "decrypt",
        encrypted.replaceFirst(
            "^\\{",
            "{%s,\"encryptionAlgorithm\":\"AES_GCM\",\"additionalAuthenticatedData\":\"AAEC\","
                .formatted(METADATA)));
  }

  @AfterAll
  static void stop() {
    hsm.close();
    dataSource.close();
  }

  private static String path(String operation) {
    return "/kms/xks/v1/" + (operation.equals("health") ? "" : "keys/foo/") + operation;
  }

  private static byte[] body(String operation) {
    return Objects.requireNonNull(BODIES.get(operation)).getBytes(UTF_8);
  }

  private static HttpAnswer answer(String operation, byte[] body) {
    return api.apply(SignedDraft.request(path(operation), NOW, body, System.nanoTime()));
  }

  private void check(HttpRequest request, int seed) {
    HttpAnswer answer = api.apply(request);
    api.answered(request, answer);
    String failure = answer.failure();
    seen.add(String.valueOf(failure));
    if (failure == null) {
      assertThat(answer.status()).isEqualTo(200);
      return;
    }
    assertThat(OURS)
        .as("seed %d: %s", seed, answer.json())
        .noneMatch(e -> e.label().equals(failure));
    assertThat(XksError.values()).as("seed %d", seed).anyMatch(e -> e.label().equals(failure));
    assertThat(answer.status()).as("seed %d", seed).isBetween(400, 501).isNotEqualTo(500);
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt", "decrypt", "metadata", "health"})
  void alteredBodiesAreTheClientsFault(String operation) {
    byte[] good = body(operation);
    for (int seed = 0; seed < EACH; seed++) {
      byte[] altered = Mutations.ofJson().of(good, new Random(seed));
      check(SignedDraft.request(path(operation), NOW, altered, System.nanoTime()), seed);
    }
    assertThat(seen).contains("null", "ValidationException");
    if (operation.equals("decrypt")) {
      assertThat(seen).contains("InvalidCiphertextException");
    }
  }

  @Test
  void alteredHeadersAreTheClientsFault() {
    byte[] body = body("metadata");
    HttpRequest good = SignedDraft.request(path("metadata"), NOW, body, System.nanoTime());
    List<String> names = new ArrayList<>(new TreeSet<>(good.headers().keySet()));
    Mutations head = Mutations.ofHead();
    for (int seed = 0; seed < EACH; seed++) {
      Random random = new Random(seed);
      Map<String, List<String>> headers = new HashMap<>(good.headers());
      String name = names.get(random.nextInt(names.size()));
      headers.put(name, List.of(altered(head, good.values(name).getFirst(), random)));
      boolean targetToo = random.nextInt(4) == 0;
      String target = targetToo ? altered(head, good.target(), random) : good.target();
      check(new HttpRequest("POST", target, headers, body, System.nanoTime()), seed);
    }
    assertThat(seen).contains("AuthenticationFailedException", "InvalidUriPathException");
  }

  private static String altered(Mutations by, String text, Random random) {
    return new String(by.of(text.getBytes(US_ASCII), random), ISO_8859_1);
  }
}
