package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
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
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.SoftHsm2;
import org.keywell.testkit.Sql;

/**
 * Backups of database and token, restored in each way while the service is stopped. A public key
 * must not be in two answers.
 */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(600)
@Tag("fault")
final class RestoredBackupIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 60;
  private static final Map<String, String> LOG =
      Map.of("keywell.log.origin", "sign.example.org/log");
  private static final Map<String, String> ACCEPT =
      Map.of("keywell.database.accept-restored", "true");

  @TempDir Path home;

  private final List<String> publicKeys = new ArrayList<>();
  private Site site;
  private int runs;

  @BeforeEach
  void create() throws Exception {
    site = Site.create(home);
    site.stock(SPEC, STOCK);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private KeywellProcess start(Map<String, String> more) throws Exception {
    Map<String, String> all = new HashMap<>(Settings.pool(SPEC, 5));
    all.putAll(more);
    return KeywellProcess.start(
        site.settings(all), home.resolve("run-" + runs++ + ".log"), "serve");
  }

  /** One run, with an end in order or not. */
  private String run(int signatures, boolean crash, Map<String, String> more) throws Exception {
    try (KeywellProcess keywell = start(more)) {
      HttpApi http = keywell.awaitReady();
      sign(http, signatures);
      if (crash) {
        keywell.kill();
      } else {
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
      }
      return keywell.log();
    }
  }

  private void sign(HttpApi http, int signatures) throws Exception {
    for (int i = 0; i < signatures; i++) {
      HttpApi.Answer answer = signed(http);
      publicKeys.add(HexFormat.of().formatHex(SignedAnswer.of(answer).publicKey().getEncoded()));
    }
  }

  /** A copy of the database ends the service's connections: it recovers within seconds. */
  private HttpApi.Answer signed(HttpApi http) throws Exception {
    AtomicReference<HttpApi.Answer> last = new AtomicReference<>();
    Await.until(
        "a request is signed",
        () -> {
          HttpApi.Answer answer =
              http.sign(
                  SignBody.of("document " + publicKeys.size())
                      .requestId(UUID.randomUUID())
                      .keySpec(SPEC)
                      .scheme(SignatureScheme.ECDSA));
          last.set(answer);
          return answer.status() == 200;
        });
    return last.get();
  }

  private String refused(Map<String, String> more) throws Exception {
    try (KeywellProcess keywell = start(more)) {
      assertThat(keywell.awaitExit()).isEqualTo(2);
      return keywell.log();
    }
  }

  private void noKeySignedTwice() {
    Set<String> distinct = new HashSet<>(publicKeys);
    assertThat(distinct).hasSameSizeAs(publicKeys);
  }

  private long stored() throws Exception {
    return site.sql().count("SELECT count(*) FROM pool_key");
  }

  private String logged(String type) throws Exception {
    Sql sql = site.sql();
    return String.join(
        "\n",
        sql.texts("SELECT convert_from(entry, 'UTF8') FROM log_entry").stream()
            .filter(entry -> entry.contains("\"type\":\"" + type + "\""))
            .toList());
  }

  @Test
  void aDumpFromBeforeTheLastRunIsRefusedUntilItIsAccepted() throws Exception {
    run(3, false, LOG);
    PostgresForTests.Database dump = PostgresForTests.copy(site.database());
    run(20, false, LOG);
    PostgresForTests.restore(site.database(), dump);

    String why = refused(LOG);

    assertThat(why).contains("older than what the HSM has seen", "EC-P256: ", "the log has");
    assertThat(stored()).as("nothing was changed").isGreaterThan(STOCK - 10);
    String accepted = run(5, false, with(LOG, ACCEPT));
    assertThat(accepted).contains("stored keys that may have been used before are discarded");
    assertThat(logged("restored")).contains("EC-P256: ", "device hsm has seen");
    run(5, false, LOG);
    noKeySignedTwice();
    assertThat(site.ledger().balances().getFirst().difference()).isZero();
  }

  @Test
  void aDumpOfARunThatCrashedBringsNoKeyBack() throws Exception {
    PostgresForTests.Database dump;
    try (KeywellProcess keywell = start(Map.of())) {
      HttpApi http = keywell.awaitReady();
      sign(http, 3);
      dump = PostgresForTests.copy(site.database());
      sign(http, 15);
      keywell.kill();
    }
    PostgresForTests.restore(site.database(), dump);

    String log = run(10, false, Map.of());

    assertThat(log).contains("stored keys that may have been used before are discarded");
    noKeySignedTwice();
    assertThat(site.ledger().balances().getFirst().difference()).isZero();
  }

  @Test
  void aDumpOfARunThatEndedInOrderIsRefused() throws Exception {
    PostgresForTests.Database dump;
    try (KeywellProcess keywell = start(Map.of())) {
      HttpApi http = keywell.awaitReady();
      sign(http, 3);
      dump = PostgresForTests.copy(site.database());
      sign(http, 15);
      keywell.terminate();
      assertThat(keywell.awaitExit()).isIn(0, 143);
    }
    PostgresForTests.restore(site.database(), dump);

    assertThat(refused(Map.of())).contains("keywell.database.accept-restored=true");
    run(10, false, ACCEPT);
    noKeySignedTwice();
  }

  @Test
  void aTokenFromBeforeIsNoDanger() throws Exception {
    run(3, false, Map.of());
    copy(tokenDirectory(), home.resolve("token"));
    run(10, false, Map.of());
    restoreToken();

    // What was claimed since is on record.
    assertThat(run(5, false, Map.of())).contains("its mark is older than the database");
    noKeySignedTwice();
  }

  @Test
  void bothFromBeforeLeaveNoTraceHere() throws Exception {
    run(3, false, LOG);
    PostgresForTests.Database dump = PostgresForTests.copy(site.database());
    copy(tokenDirectory(), home.resolve("token"));
    run(10, false, LOG);
    PostgresForTests.restore(site.database(), dump);
    restoreToken();

    // Nothing that is left knows better: only proofs and copies of the log, elsewhere, show it.
    assertThat(run(1, false, LOG)).doesNotContain("discarded");
  }

  @Test
  void acceptanceWithoutAReasonIsRefused() throws Exception {
    run(1, false, Map.of());
    assertThat(refused(ACCEPT)).contains("remove it");
  }

  /** SoftHSM has a directory for each token, with the label in one of its files. */
  private Path tokenDirectory() throws IOException {
    String label = site.token().config().tokenLabel();
    try (Stream<Path> tokens = Files.list(SoftHsm2.tokens())) {
      for (Path token : tokens.toList()) {
        String content =
            Files.readString(token.resolve("token.object"), StandardCharsets.ISO_8859_1);
        if (content.contains(label)) {
          return token;
        }
      }
    }
    throw new AssertionError("no token " + label);
  }

  private void restoreToken() throws IOException {
    Path token = tokenDirectory();
    for (Path file : files(token)) {
      Files.delete(file);
    }
    copy(home.resolve("token"), token);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (Path file : files(from)) {
      Files.copy(file, to.resolve(file.getFileName()));
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static Map<String, String> with(Map<String, String> one, Map<String, String> other) {
    Map<String, String> all = new HashMap<>(one);
    all.putAll(other);
    return all;
  }
}
