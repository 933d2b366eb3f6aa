package org.keywell.acceptance.tamper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.cli.KeywellCommand;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.TokenData;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TileSource;
import org.keywell.tlog.TlogProof;

/**
 * A superuser of the database alters the log of a service that has signed; callers have their
 * proofs, and a monitor an export. Who finds it is as docs/LOG.md says. The number of signatures is
 * {@code -Dkeywell.tamper.signatures}.
 */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(1800)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TamperingIT {

  private static final int SIGNATURES = Integer.getInteger("keywell.tamper.signatures", 300);
  private static final String ORIGIN = "sign.example.org/log";
  private static final int AT_ONCE = 4;
  private static final Map<String, String> ACCEPT =
      Map.of("keywell.database.accept-restored", "true");

  private final SoftHsmToken token = SoftHsmToken.create();
  private final Database database = PostgresForTests.newDatabase();
  private final HttpClient client = HttpClient.newHttpClient();
  private Path home;
  private Path export;
  private Path key;
  private KeptProof early;
  private long other;
  private KeptProof late;
  private long tail;

  private boolean refused;

  /** What the token knows of log and keys at the last orderly stop. */
  private List<TokenData> seen = List.of();

  @BeforeAll
  void sign(@TempDir Path home, @TempDir Path kept) throws Exception {
    this.home = home;
    export = kept.resolve("export");
    key = kept.resolve("key");
    UUID first;
    UUID second;
    try (RunningKeywell keywell = start(database)) {
      Files.writeString(key, get(keywell, "/log/key"));
      first = sign(keywell);
      second = sign(keywell);
      sign(keywell, SIGNATURES / 2);
      early = proof(keywell, first);
      other = proof(keywell, second).proof().index();
    }
    tail = size(database);
    execute("CREATE DATABASE %s TEMPLATE %s".formatted(name(database) + "_old", name(database)));
    try (RunningKeywell keywell = start(database)) {
      sign(keywell, SIGNATURES - SIGNATURES / 2);
      late = proof(keywell, sign(keywell));
      Out exported = run("log", "export", export.toString(), base(keywell), "--log-key", key());
      assertThat(exported.code()).as(exported.text()).isZero();
    }
    try (Pkcs11Hsm hsm = token.open()) {
      seen = hsm.data("keywell-");
    }
    System.out.printf("the log has %d entries, %d before the tail%n", size(database), tail);
  }

  @AfterAll
  void close() {
    client.close();
  }

  @ParameterizedTest
  @EnumSource
  void isFoundAsDocumented(Tampering tampering) throws Exception {
    FinderTable.Row expected = FinderTable.row(tampering);
    String copy = name(database) + "_" + tampering.name().toLowerCase(Locale.ROOT);
    Database stopped = copy(copy, tampering == Tampering.OLD_DUMP);
    tamper(stopped, tampering);
    long before = size(stopped);
    boolean verify;
    boolean against;
    boolean proof;
    boolean otherProof;
    boolean nextStart;
    try (RunningKeywell keywell = startOrAccept(stopped)) {
      Await.until(
          "the log goes on, or is known to be damaged",
          () ->
              isAltered(keywell) || checkpoint(keywell).filter(c -> c.size() > before).isPresent());
      nextStart = refused || isAltered(keywell);
      Out verified = run("log", "verify", base(keywell), "--log-key", key());
      Out compared =
          run("log", "verify", base(keywell), "--log-key", key(), "--against", export.toString());
      System.out.printf("%s: %s%n", tampering.title(), compared.text().strip());
      verify = verified.code() != 0;
      against = compared.code() != 0;
      long now = checkpoint(keywell).orElseThrow().size();
      proof = (tampering.isOfTheTail() ? late : early).isContradicted(tiles(keywell), now);
      otherProof = (tampering.isOfTheTail() ? early : late).isContradicted(tiles(keywell), now);
    }
    assertThat(
            new FinderTable.Row(
                verify, against, proof, otherProof, isFoundWhileRunning(tampering), nextStart))
        .isEqualTo(expected);
  }

  private boolean isFoundWhileRunning(Tampering tampering) throws Exception {
    String copy = name(database) + "_run_" + tampering.name().toLowerCase(Locale.ROOT);
    Database running = copy(copy, false);
    resetToken();
    try (RunningKeywell keywell = start(running)) {
      KeptProof _ = proof(keywell, sign(keywell));
      if (tampering == Tampering.OLD_DUMP) {
        rollBack(copy);
      } else {
        tamper(running, tampering);
      }
      UUID next = signWithPatience(keywell);
      Await.until(
          "the log goes on, or is known to be damaged",
          () -> isAltered(keywell) || answer(keywell, "/log/proof/" + next).statusCode() == 200);
      return isAltered(keywell);
    }
  }

  private void tamper(Database copy, Tampering tampering) throws Exception {
    try (LogTables log = LogTables.of(copy)) {
      tampering.apply(log, early.proof().index(), other, tail);
    }
  }

  /** Puts the old dump in the place of the database that an instance uses. */
  private void rollBack(String used) throws SQLException {
    execute("ALTER DATABASE %s ALLOW_CONNECTIONS false".formatted(used));
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'"
            .formatted(used));
    execute("DROP DATABASE %s WITH (FORCE)".formatted(used));
    execute("CREATE DATABASE %s TEMPLATE %s_old".formatted(used, name(database)));
  }

  private Database copy(String name, boolean old) throws SQLException {
    execute("CREATE DATABASE %s TEMPLATE %s".formatted(name, name(database) + (old ? "_old" : "")));
    return new Database(
        database.url().replace("/" + name(database), "/" + name),
        database.username(),
        database.password());
  }

  private static String name(Database database) {
    return database.url().replaceFirst(".*/([^/?]+).*", "$1");
  }

  private void execute(String sql) throws SQLException {
    Database admin =
        new Database(
            database.url().replace("/" + name(database), "/postgres"),
            database.username(),
            database.password());
    try (Connection connection = admin.connect();
        Statement statement = connection.createStatement()) {
      boolean _ = statement.execute(sql);
    }
  }

  private static long size(Database of) throws SQLException {
    try (LogTables log = LogTables.of(of)) {
      return log.size();
    }
  }

  /** A copy of the database gets the token as it was: other copies must not matter. */
  private void resetToken() {
    try (Pkcs11Hsm hsm = token.open()) {
      hsm.data("keywell-").stream().map(TokenData::name).distinct().forEach(hsm::removeData);
      seen.forEach(hsm::keepData);
    }
  }

  /** Notes whether the start was refused. */
  private RunningKeywell startOrAccept(Database on) {
    resetToken();
    refused = false;
    try {
      return start(on);
    } catch (RuntimeException e) {
      assertThat(e).hasStackTraceContaining("older than what the HSM has seen");
      refused = true;
      return start(on, ACCEPT);
    }
  }

  private RunningKeywell start(Database on) {
    return start(on, Map.of());
  }

  private RunningKeywell start(Database on, Map<String, String> also) {
    Map<String, String> more = new HashMap<>(Settings.pool(KeySpec.EC_P256, 10));
    more.putAll(also);
    more.put("keywell.log.origin", ORIGIN);
    more.put("keywell.pool.when-empty", "generate");
    return RunningKeywell.start(Settings.of(token, on, home, more));
  }

  private void sign(RunningKeywell keywell, int count) throws Exception {
    try (ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<UUID> signed :
          callers.invokeAll(
              IntStream.range(0, count)
                  .<Callable<UUID>>mapToObj(i -> () -> sign(keywell))
                  .toList())) {
        assertThat(signed.get()).isNotNull();
      }
    }
  }

  private static UUID sign(RunningKeywell keywell) throws IOException, InterruptedException {
    UUID id = UUID.randomUUID();
    HttpApi.Answer answer = send(keywell, id);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    return id;
  }

  /** While it finds another database in the place of its own, an instance refuses for a while. */
  private static UUID signWithPatience(RunningKeywell keywell) throws Exception {
    UUID id = UUID.randomUUID();
    Await.until("it signs", () -> isAltered(keywell) || send(keywell, id).status() == 200);
    return id;
  }

  private static HttpApi.Answer send(RunningKeywell keywell, UUID id)
      throws IOException, InterruptedException {
    return keywell
        .http()
        .sign(
            SignBody.of("document " + id)
                .requestId(id)
                .keySpec(KeySpec.EC_P256)
                .scheme(SignatureScheme.ECDSA));
  }

  private static boolean isAltered(RunningKeywell keywell)
      throws IOException, InterruptedException {
    return keywell.scrape().value("keywell_log_altered") == 1;
  }

  private KeptProof proof(RunningKeywell keywell, UUID id) throws Exception {
    Await.until("the log has it", () -> answer(keywell, "/log/proof/" + id).statusCode() == 200);
    return new KeptProof(TlogProof.parse(answer(keywell, "/log/proof/" + id).body()));
  }

  private Optional<Checkpoint> checkpoint(RunningKeywell keywell)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = answer(keywell, "/log/checkpoint");
    return answer.statusCode() == 200
        ? Optional.of(Checkpoint.parse(SignedNote.parse(answer.body()).text()))
        : Optional.empty();
  }

  private TileSource tiles(RunningKeywell keywell) {
    return tile -> {
      try {
        HttpResponse<byte[]> answer = answer(keywell, "/log/" + tile.path());
        return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    };
  }

  private HttpResponse<byte[]> answer(RunningKeywell keywell, String path)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(keywell.http().base().resolve(path)).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private String get(RunningKeywell keywell, String path) throws IOException, InterruptedException {
    return new String(answer(keywell, path).body(), StandardCharsets.UTF_8);
  }

  private static String base(RunningKeywell keywell) {
    return keywell.http().base().toString();
  }

  private String key() {
    return key.toString();
  }

  private record Out(int code, String text) {}

  private static Out run(String... command) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    int code = KeywellCommand.commandLine().setOut(out).setErr(out).execute(command);
    return new Out(code, text.toString());
  }
}
