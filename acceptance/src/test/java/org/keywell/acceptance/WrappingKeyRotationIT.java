package org.keywell.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.testkit.Await;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

/** A new wrapping key follows the old one in two HSMs, beside instances that sign. */
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(280)
@Tag("fault")
final class WrappingKeyRotationIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String LABEL = "keywell-shared";
  private static final int LOADED = 20;
  private static final int CALLERS = 2;

  /** So that the stock lasts until the command waits for its use. */
  private static final long PERIOD_MILLIS = 150;

  private static final int STOCK = 1_500;
  private static final long CKR_DEVICE_REMOVED = 0x32;

  @TempDir Path home;

  private final Database database = PostgresForTests.newDatabase();
  private final HikariDataSource dataSource = database.dataSource();
  private final Sql sql = new Sql(dataSource);
  private final SoftHsmToken east = SoftHsmToken.create();
  private final List<KeywellProcess> processes = new ArrayList<>();
  private FaultyModule module;
  private SoftHsmToken west;

  @BeforeEach
  void prepare() throws Exception {
    module = FaultyModule.create(home.resolve("west"));
    west = SoftHsmToken.create(module.path());
    run(0, "bootstrap");
  }

  @AfterEach
  void close() {
    processes.forEach(KeywellProcess::close);
    module.close();
    dataSource.close();
  }

  private Map<String, String> settings(String instance) {
    Map<String, String> more = new HashMap<>(Settings.pool(SPEC, LOADED));
    more.put("keywell.instance", instance);
    more.putAll(Settings.besides(west));
    more.put("keywell.hsm.wrapping-key-label", LABEL);
    more.put("keywell.log.origin", "rotation.example/log");
    return Settings.of(east, database, home, more);
  }

  private KeywellProcess start(String instance, String... command) throws Exception {
    Path log = home.resolve(instance + "-" + command[0] + "-" + System.nanoTime() + ".log");
    KeywellProcess process = KeywellProcess.start(settings(instance), log, command);
    processes.add(process);
    return process;
  }

  /** Returns what the command told. */
  private String run(int exitCode, String... command) throws Exception {
    KeywellProcess process = start("command", command);
    assertThat(process.awaitExit()).as(process.log()).isEqualTo(exitCode);
    return process.log();
  }

  private void fill(int keys) throws Exception {
    String _ = run(0, "fill", Integer.toString(keys), "--key-spec", SPEC.label());
  }

  private String storedUnder() throws Exception {
    return sql.text("SELECT DISTINCT wrapping_key_id FROM pool_key");
  }

  /** As it is in a backup. */
  private WrappedKey saved() throws Exception {
    return new WrappedKey(
        SPEC,
        storedUnder(),
        "AES-KWP",
        sql.bytes("SELECT public_key FROM pool_key ORDER BY id DESC LIMIT 1").getFirst(),
        sql.bytes("SELECT wrapped_private_key FROM pool_key ORDER BY id DESC LIMIT 1").getFirst());
  }

  private void assertUnwrapsNowhere(WrappedKey key) {
    for (SoftHsmToken token : List.of(east, west)) {
      try (Pkcs11Hsm hsm = token.open(token.config().withWrappingKeyLabel(LABEL))) {
        assertThat(hsm.foundWrappingKeyIds()).singleElement().asString().startsWith(LABEL + "~2:");
        WrappedKey asIfOfTheNew =
            new WrappedKey(
                SPEC,
                hsm.wrappingKeyId(),
                key.wrapMechanism(),
                key.publicKey(),
                key.wrappedPrivateKey());
        for (WrappedKey each : List.of(key, asIfOfTheNew)) {
          assertThatExceptionOfType(HsmException.class)
              .isThrownBy(() -> hsm.unwrap(each))
              .satisfies(
                  e -> assertThat(e.reason()).isEqualTo(HsmException.Reason.WRAPPED_KEY_INVALID));
        }
      }
    }
  }

  private void assertBalanced() {
    assertThat(new KeyLedger(dataSource).balances()).allMatch(each -> each.difference() == 0);
  }

  /** Threads that ask each instance, and keep each answer. */
  private static final class Callers implements AutoCloseable {
    private record Signed(byte[] document, HttpApi.Answer answer) {}

    private final Queue<Signed> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;
    private volatile long pauseMillis = PERIOD_MILLIS;

    Callers(HttpApi... instances) {
      for (HttpApi http : instances) {
        for (int i = 0; i < CALLERS; i++) {
          threads.add(Thread.ofPlatform().start(() -> ask(http)));
        }
      }
    }

    private void ask(HttpApi http) {
      try {
        while (!stopped) {
          String document = UUID.randomUUID().toString();
          answers.add(
              new Signed(document.getBytes(UTF_8), http.sign(SignBody.of(document).keySpec(SPEC))));
          Thread.sleep(pauseMillis);
        }
      } catch (Exception e) {
        failures.add(e);
      }
    }

    /** Uses up what is stored as fast as the machine can. */
    void hurry() {
      pauseMillis = 1;
    }

    void calm() {
      pauseMillis = PERIOD_MILLIS;
    }

    void awaitMore(int count) throws InterruptedException {
      int before = answers.size();
      Await.until("more answers", () -> answers.size() >= before + count);
    }

    /** Returns how many there were. */
    int verifyAll() throws Exception {
      return verifyAllBut(0);
    }

    /**
     * Returns how many were signed.
     *
     * @param lost how many may have had their key in an HSM that was lost
     */
    int verifyAllBut(int lost) throws Exception {
      close();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      List<String> problems = new ArrayList<>();
      for (Signed signed : answers) {
        if (signed.answer().status() == 200) {
          SignedAnswer.of(signed.answer()).verify("SHA256withECDSA", signed.document());
        } else {
          problems.add(signed.answer().body().toString());
        }
      }
      assertThat(problems)
          .hasSizeLessThanOrEqualTo(lost)
          .allMatch(problem -> problem.contains("urn:keywell:problem:hsm-unavailable"));
      return answers.size() - problems.size();
    }

    @Override
    public void close() {
      stopped = true;
    }
  }

  @Test
  void twoInstancesSignOnWhileTheKeyIsRotated() throws Exception {
    fill(STOCK);
    String old = storedUnder();
    WrappedKey saved = saved();
    HttpApi one = start("one", "serve").awaitReady();
    HttpApi two = start("two", "serve").awaitReady();
    try (Callers callers = new Callers(one, two)) {
      callers.awaitMore(20);
      KeywellProcess rotation = start("command", "rotate-wrapping-key");
      Await.until(
          "it waits for the use of the old key's rows",
          () -> rotation.log().contains("waiting for the use of what is under " + old));
      fill(1_000);
      assertThat(storedUnderBoth(old)).isTrue();
      callers.hurry();

      Await.until("it is over", () -> !rotation.isAlive());
      assertThat(rotation.awaitExit()).as(rotation.log()).isZero();
      assertThat(rotation.log())
          .contains("created: wrapping key " + LABEL + "~2:", "in east and west")
          .contains("destroyed: wrapping key " + old + ", in east and west")
          .contains("done");
      callers.awaitMore(40);

      int signed = callers.verifyAll();
      assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status <> 'signed'")).isZero();
      System.out.printf("rotation: %d signatures, of before and after, verify%n", signed);
    }
    assertThat(
            sql.texts(
                "SELECT DISTINCT split_part(wrapping_key_id, ':', 1) FROM sign_request ORDER BY 1"))
        .containsExactly(LABEL, LABEL + "~2");
    assertThat(sql.count("SELECT count(*) FROM key_ledger WHERE move = 'discarded'")).isZero();
    assertUnwrapsNowhere(saved);
    assertBalanced();
  }

  private boolean storedUnderBoth(String old) throws Exception {
    return sql.texts("SELECT DISTINCT wrapping_key_id FROM pool_key").stream()
        .anyMatch(id -> !id.equals(old));
  }

  private static String state(KeywellProcess service, String device) throws Exception {
    return service
        .management()
        .get("/actuator/health/readiness")
        .body()
        .at("/components/hsm/details/devices/" + device + "/state")
        .asString();
  }

  @Test
  void oneThatIsKilledIsRunAgainAndAnOldBackupIsOfNoUse() throws Exception {
    fill(STOCK);
    String old = storedUnder();
    WrappedKey saved = saved();
    sql.update("CREATE TABLE backup AS SELECT * FROM pool_key ORDER BY id DESC LIMIT 3");
    KeywellProcess service = start("one", "serve");
    HttpApi http = service.awaitReady();
    KeywellProcess killed = start("command", "rotate-wrapping-key");
    Await.until(
        "it waits", () -> killed.log().contains("waiting for the use of what is under " + old));
    killed.kill();
    module.gone(CKR_DEVICE_REMOVED);
    assertThat(run(4, "rotate-wrapping-key"))
        .contains("keywell: every HSM that shares the wrapping key takes part")
        .contains("device west: ");
    module.back();
    Await.until("the instance has it back", () -> state(service, "west").equals("up"));
    try (Callers callers = new Callers(http)) {
      assertThat(run(0, "rotate-wrapping-key", "--status"))
          .contains(" follows " + old + ": switched", "HSM west has " + old);
      fill(300);

      assertThat(run(0, "rotate-wrapping-key", "--now"))
          .containsPattern("discarded: \\d+ keys stored under " + old)
          .contains("destroyed: wrapping key " + old + ", in east and west");
      callers.awaitMore(40);

      assertThat(callers.verifyAll()).isPositive();
    }
    assertThat(sql.count("SELECT sum(keys) FROM key_ledger WHERE move = 'discarded'")).isPositive();
    assertUnwrapsNowhere(saved);
    service.terminate();
    var _ = service.awaitExit();
    assertBalanced();
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM log_entry
                WHERE convert_from(entry, 'UTF8') LIKE '%rotate-wrapping-key%'
                """))
        .as("told to the log: created, wraps, discarded, destroyed")
        .isEqualTo(4);

    sql.update(
        """
        INSERT INTO pool_key (id, key_spec, wrapping_key_id, wrap_mechanism, public_key,
          wrapped_private_key)
        SELECT id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key
        FROM backup WHERE id NOT IN (SELECT key_id FROM used_key)
        """);
    long back = sql.count("SELECT count(*) FROM pool_key WHERE wrapping_key_id = '" + old + "'");
    KeywellProcess again = start("one", "serve");
    HttpApi httpAgain = again.awaitReady();
    assertThat(again.log())
        .contains(back + " stored keys are discarded: they are under wrapping key " + old);
    assertThat(sql.count("SELECT count(*) FROM pool_key WHERE wrapping_key_id = '" + old + "'"))
        .isZero();
    assertThat(httpAgain.sign(SignBody.of("document").keySpec(SPEC)).status()).isEqualTo(200);
  }

  /** The other HSM signs; the old key may still be in the one that is lost, and is waited for. */
  @Test
  void anHsmThatIsLostMeanwhileIsWaitedFor() throws Exception {
    fill(STOCK);
    String old = storedUnder();
    WrappedKey saved = saved();
    KeywellProcess service = start("one", "serve");
    HttpApi http = service.awaitReady();
    KeywellProcess rotation = start("command", "rotate-wrapping-key");
    Await.until(
        "it waits", () -> rotation.log().contains("waiting for the use of what is under " + old));
    fill(600);
    module.gone(CKR_DEVICE_REMOVED);
    Await.until("the instance has lost it", () -> !state(service, "west").equals("up"));
    try (Callers callers = new Callers(http)) {
      callers.hurry();
      Await.until(
          "nothing is stored under the old key",
          () ->
              sql.count("SELECT count(*) FROM pool_key WHERE wrapping_key_id = '" + old + "'")
                  == 0);
      callers.calm();
      callers.awaitMore(40);
      assertThat(rotation.isAlive()).as(rotation.log()).isTrue();
      module.back();

      Await.until("it is over", () -> !rotation.isAlive());
      assertThat(rotation.awaitExit()).as(rotation.log()).isZero();
      callers.awaitMore(40);

      assertThat(callers.verifyAllBut(LOADED)).isPositive();
    }
    assertUnwrapsNowhere(saved);
    service.terminate();
    var _ = service.awaitExit();
    assertBalanced();
  }
}
