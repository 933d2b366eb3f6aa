package org.keywell.acceptance;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.XksClient;
import org.keywell.acceptance.running.XksClient.Answer;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.service.xks.KeyCommands;
import org.keywell.service.xks.XksDoor;
import org.keywell.settings.KeywellProperties;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.TlsAuthority;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.XksKeys;

/** What clients of the external key store see when its HSM fails. */
@Timeout(240)
final class XksFaultsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final long CKR_ENCRYPTED_DATA_INVALID = 0x40;

  /** After that, the clients have given up. */
  private static final Duration BUDGET = Duration.ofMillis(250);

  /** As it is without a setting. */
  private static final Duration DEADLINE = Duration.ofMillis(200);

  private final Database database = PostgresForTests.newDatabase();
  private final Path home;
  private final TlsAuthority authority;
  private final FaultyModule module;
  private final SoftHsmToken token;

  XksFaultsIT(@TempDir Path home) throws Exception {
    this.home = home;
    module = FaultyModule.create(home.resolve("hsm"));
    token = SoftHsmToken.create(module.path());
    authority = TlsAuthority.create(home, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
  }

  @AfterEach
  void endFaults() {
    module.close();
  }

  private RunningKeywell start() throws Exception {
    return start(Map.of());
  }

  private RunningKeywell start(Map<String, String> more) throws Exception {
    Map<String, String> all = new HashMap<>(authority.serverSettings());
    all.keySet().removeIf(name -> name.startsWith("server.ssl.") || name.contains("callers"));
    all.putAll(Settings.pool(SPEC, 5));
    all.put("keywell.pool.specs." + SPEC.label() + ".max-stored", "40");
    all.put("keywell.hsm.call-limit", "2s");
    all.put("keywell.hsm.hang-limit", "0");
    all.put("keywell.warm-up", "1s");
    all.put("keywell.xks.enabled", "true");
    all.put("keywell.xks.port", "0");
    all.put("keywell.xks.bundle", "service");
    all.put("keywell.xks.calls-per-hsm", "2");
    all.put("keywell.xks.credentials-file", XksClient.credentials(home).toString());
    all.putAll(more);
    RunningKeywell keywell = RunningKeywell.start(Settings.of(token, database, home, all));
    try (var dataSource = database.asService().dataSource()) {
      String created =
          new KeyCommands(
                  new XksKeys(dataSource, "test"), keywell.part(KeywellProperties.class).hsm())
              .create("foo", KeyUsage.ENCRYPT_DECRYPT, List.of());
      assertThat(created).contains("foo");
    }
    return keywell;
  }

  private XksClient client(RunningKeywell keywell) {
    return new XksClient(authority.context(null), URI.create(keywell.part(XksDoor.class).url()));
  }

  @Test
  void callsThatHangAreAnsweredInTimeAndHoldABoundedNumberOfThreads() throws Exception {
    try (RunningKeywell keywell = start();
        XksClient client = client(keywell);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Await.until("it encrypts", () -> client.encrypt("foo", "text").status() == 200);
      module.inject("C_Encrypt", Fault.hanging());

      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        answers.add(threads.submit(() -> client.encrypt("foo", "text")));
      }
      for (Future<Answer> each : answers) {
        Answer answer = each.get(10, SECONDS);
        assertThat(answer.text("errorName")).isEqualTo("DependencyTimeoutException");
        assertThat(answer.status()).isEqualTo(503);
      }
      assertThat(module.faults("C_Encrypt")).as("calls that hang").isEqualTo(2);
      Answer alone = client.encrypt("foo", "text");
      assertThat(alone.text("errorName")).isEqualTo("DependencyTimeoutException");
      assertThat(Duration.ofNanos(alone.nanos())).isLessThan(BUDGET);
      assertThat(
              keywell
                  .scrape()
                  .value(
                      "keywell_xks_requests_total",
                      "operation",
                      "Encrypt",
                      "result",
                      "DependencyTimeoutException"))
          .as("counted when they are answered, although two of them hang")
          .isEqualTo(9);
      assertThat(keywell.scrape().value("keywell_xks_hsm_calls")).isEqualTo(2);

      module.clear("C_Encrypt");
      Await.until("it encrypts again", () -> client.encrypt("foo", "text").status() == 200);
    }
  }

  @Test
  void beyondMaxConcurrentRequestsAreThrottledWithinHalfOfTheDeadline() throws Exception {
    try (RunningKeywell keywell = start(Map.of("keywell.xks.max-concurrent", "2"));
        XksClient client = client(keywell)) {
      Await.until("it encrypts", () -> client.encrypt("foo", "text").status() == 200);
      module.inject("C_Encrypt", Fault.hanging());
      for (int i = 0; i < 2; i++) {
        assertThat(client.encrypt("foo", "text").text("errorName"))
            .isEqualTo("DependencyTimeoutException");
      }

      Answer beyond = client.encrypt("foo", "text");

      assertThat(beyond.text("errorName")).isEqualTo("ThrottlingException");
      assertThat(beyond.text("errorMessage")).contains("keywell.xks.max-concurrent");
      assertThat(beyond.status()).isEqualTo(429);
      assertThat(Duration.ofNanos(beyond.nanos())).isBetween(DEADLINE.dividedBy(2), BUDGET);
      module.clear("C_Encrypt");
      Await.until("there is room again", () -> client.encrypt("foo", "text").status() == 200);
    }
  }

  /** First come, first served would have it wait for all that the other sends. */
  @Test
  void anAccessKeyIdThatFloodsDoesNotStarveAnother() throws Exception {
    Map<String, String> settings =
        Map.of("keywell.xks.max-concurrent", "2", "keywell.xks.deadline", "1s");
    try (RunningKeywell keywell = start(settings);
        XksClient client = client(keywell);
        XksClient flood =
            new XksClient(
                authority.context(null),
                URI.create(keywell.part(XksDoor.class).url()),
                XksClient.OTHER_ACCESS_KEY_ID,
                XksClient.SECRET);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Await.until("it encrypts", () -> client.encrypt("foo", "text").status() == 200);
      module.inject("C_Encrypt", Fault.delayedBy(Duration.ofMillis(100)));
      AtomicBoolean over = new AtomicBoolean();
      List<Future<Integer>> floods = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        floods.add(threads.submit(() -> flood(flood, over)));
      }

      for (int i = 0; i < 10; i++) {
        Answer answer = client.encrypt("foo", "text");
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
      }
      over.set(true);
      int throttled = 0;
      for (Future<Integer> each : floods) {
        throttled += each.get(10, SECONDS);
      }
      assertThat(throttled).as("it was a flood").isPositive();
    }
  }

  /** Returns how many requests were throttled. */
  private static int flood(XksClient client, AtomicBoolean over) throws Exception {
    int throttled = 0;
    while (!over.get()) {
      throttled += client.encrypt("foo", "text").status() == 429 ? 1 : 0;
    }
    return throttled;
  }

  /** What the token spoils is not handed out, and not the client's fault. */
  private void assertNothingWrongLeaves(XksClient client, Answer encrypted) throws Exception {
    List<Map.Entry<String, Fault>> faults =
        List.of(
            Map.entry("C_Encrypt", Fault.corrupting()),
            Map.entry("C_Decrypt", Fault.corrupting()),
            Map.entry("C_Decrypt", Fault.returning(CKR_ENCRYPTED_DATA_INVALID)));
    for (Map.Entry<String, Fault> fault : faults) {
      module.inject(fault.getKey(), fault.getValue());
      for (Answer answer :
          List.of(client.encrypt("foo", "text"), client.decrypt("foo", encrypted))) {
        assertThat(answer.status()).as(fault.getKey() + answer.body()).isEqualTo(500);
        assertThat(answer.text("errorName")).isEqualTo("InternalException");
      }
      module.clear(fault.getKey());
      assertThat(client.decrypt("foo", encrypted).text("plaintext"))
          .isEqualTo(XksClient.base64("text"));
    }
  }

  @Test
  void aLostTokenComesBackWithItsKeys() throws Exception {
    try (RunningKeywell keywell = start();
        XksClient client = client(keywell)) {
      Await.until("it encrypts", () -> client.encrypt("foo", "text").status() == 200);
      Answer encrypted = client.encrypt("foo", "text");
      assertThat(encrypted.status()).as(encrypted.body().toString()).isEqualTo(200);
      assertNothingWrongLeaves(client, encrypted);
      module.gone(CKR_DEVICE_REMOVED);
      module.forgetSessions();

      Answer refused = client.decrypt("foo", encrypted);
      assertThat(refused.text("errorName")).isEqualTo("InternalException");
      assertThat(Duration.ofNanos(refused.nanos())).isLessThan(BUDGET);
      assertThat(client.health().text("errorName")).isEqualTo("InternalException");

      module.back();
      Await.until(
          "it decrypts again",
          () ->
              client.decrypt("foo", encrypted).text("plaintext").equals(XksClient.base64("text")));
      Await.until(
          "it signs again",
          () -> keywell.http().sign(SignBody.of("document").keySpec(SPEC)).status() == 200);
    }
  }
}
