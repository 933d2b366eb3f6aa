package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.testkit.Await;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogReader;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TileSource;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.TreeHash;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The log of a running service, read and verified by what its callers have. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(180)
final class LogIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String ORIGIN = "sign.example.org/log";
  private static final Map<String, String> KEPT = Map.of("keywell.log.origin", ORIGIN);

  @TempDir Path home;

  private final HttpClient client = HttpClient.newHttpClient();
  private Site site;

  /** An entry at its place. */
  private record Logged(long index, JsonNode entry) {

    String type() {
      return entry.path("type").asString();
    }

    String text(String name) {
      return entry.path(name).asString("");
    }
  }

  @BeforeEach
  void create() throws InterruptedException {
    site = Site.create(home);
    site.stock(SPEC, 5);
  }

  @AfterEach
  void close() {
    site.close();
    client.close();
  }

  private RunningKeywell start(Map<String, String> more) {
    return RunningKeywell.start(site.settings(Settings.pool(SPEC, 3), more));
  }

  private HttpResponse<byte[]> answer(RunningKeywell keywell, String path)
      throws IOException, InterruptedException {
    URI address = keywell.http().base().resolve(path);
    return client.send(
        HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private byte[] get(RunningKeywell keywell, String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = answer(keywell, path);
    assertThat(response.statusCode()).as(path).isEqualTo(200);
    return response.body();
  }

  private UUID signed(RunningKeywell keywell) throws IOException, InterruptedException {
    UUID id = UUID.randomUUID();
    HttpApi.Answer answer =
        keywell
            .http()
            .sign(
                SignBody.of("document").requestId(id).keySpec(SPEC).scheme(SignatureScheme.ECDSA));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().has("logIndex")).as("it has no place yet").isFalse();
    return id;
  }

  private TlogProof proof(RunningKeywell keywell, UUID id) throws Exception {
    Await.until(
        "the request's end is in the log",
        () -> answer(keywell, "/log/proof/" + id).statusCode() != 404);
    return TlogProof.parse(get(keywell, "/log/proof/" + id));
  }

  private List<NoteKey> keys(RunningKeywell keywell) throws Exception {
    return new String(get(keywell, "/log/key"), StandardCharsets.UTF_8)
        .lines()
        .map(NoteKey::parse)
        .toList();
  }

  /** Reads the whole log over HTTP, and recomputes its root. */
  private List<Logged> log(RunningKeywell keywell) throws Exception {
    SignedNote note = SignedNote.parse(get(keywell, "/log/checkpoint"));
    assertThat(note.signedBy(keys(keywell)))
        .extracting(NoteKey::type)
        .containsExactlyInAnyOrder(NoteKey.Type.ECDSA, NoteKey.Type.ED25519);
    List<Logged> entries = new ArrayList<>();
    TileSource source =
        tile -> {
          try {
            return Optional.of(get(keywell, "/log/" + tile.path()));
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    new LogReader(
            source,
            (index, entry) -> entries.add(new Logged(index, JsonMapper.shared().readTree(entry))))
        .read(Checkpoint.parse(note.text()), List.of());
    return entries;
  }

  @Test
  void eachSignatureHasAProofThatVerifiesOffline() throws Exception {
    try (RunningKeywell keywell = start(KEPT)) {
      UUID id = signed(keywell);
      TlogProof proof = proof(keywell, id);

      proof.verify(ORIGIN, keys(keywell), TreeHash.ofLeaf(proof.extra()));

      JsonNode entry = JsonMapper.shared().readTree(proof.extra());
      JsonNode answer = keywell.http().result(id).body();
      assertThat(entry.path("request").asString()).isEqualTo(id.toString());
      assertThat(entry.path("status").asString()).isEqualTo("signed");
      assertThat(entry.path("certificateSerial").asString())
          .isEqualTo(
              site.sql()
                  .text(
                      "SELECT certificate_serial FROM sign_request WHERE request_id = '%s'"
                          .formatted(id)));
      assertThat(entry.path("signer").asString())
          .as("a commitment, which the salt in the row opens")
          .isEqualTo(
              site.sql()
                  .text(
                      """
                      SELECT encode(sha256(signer_salt || convert_to(signer_reference, 'UTF8')), 'hex')
                      FROM sign_request WHERE request_id = '%s'
                      """
                          .formatted(id)));
      assertThat(answer.path("signature").asString()).isNotEmpty();
      assertThat(answer.path("logIndex").asLong(-1)).isEqualTo(proof.index());
    }
  }

  @Test
  void theLogTellsTheWholeStoryAcrossRuns() throws Exception {
    UUID first;
    UUID second;
    try (RunningKeywell keywell = start(KEPT)) {
      first = signed(keywell);
    }
    try (RunningKeywell keywell = start(KEPT)) {
      second = signed(keywell);
      proof(keywell, second);
      List<Logged> log = log(keywell);

      assertThat(log).extracting(Logged::type).contains("start", "stop", "keys", "request");
      assertThat(log.getFirst().type()).isEqualTo("start");
      assertThat(log.getFirst().text("version")).isNotEmpty();
      assertThat(log.getFirst().text("configuration")).hasSize(64);
      assertThat(log)
          .filteredOn(entry -> entry.type().equals("request"))
          .extracting(entry -> entry.text("request"))
          .containsExactly(first.toString(), second.toString());
      Logged end =
          log.stream()
              .filter(e -> e.text("request").equals(second.toString()))
              .findFirst()
              .orElseThrow();
      String key = end.text("keyId");
      assertThat(log)
          .filteredOn(entry -> entry.type().equals("keys"))
          .filteredOn(entry ->
              entry.entry().path("keys").valueStream().anyMatch(k -> k.asString().equals(key)))
          .extracting(entry -> entry.text("move"))
          .as("until it signed, which its request tells: the first run had put it back")
          .endsWith("put-back", "claimed");
      assertThat(site.sql().text("SELECT count(*) FROM log_pending")).isEqualTo("0");
      assertThat(keywell.scrape().value("keywell_log_altered")).isZero();
    }
  }

  @Test
  void noEntryTellsOfAPersonOrASecret() throws Exception {
    List<byte[]> blobs = site.sql().bytes("SELECT wrapped_private_key FROM pool_key");
    try (RunningKeywell keywell = start(KEPT)) {
      UUID id = UUID.randomUUID();
      SignBody body =
          SignBody.of("document")
              .requestId(id)
              .keySpec(SPEC)
              .scheme(SignatureScheme.ECDSA)
              .signer("serialNumber", "PNOSE-197001011234");
      assertThat(keywell.http().sign(body).status()).isEqualTo(200);
      proof(keywell, id);
      String all = String.join("\n", log(keywell).stream().map(e -> e.entry().toString()).toList());

      assertThat(all).contains(id.toString());
      assertThat(all)
          .doesNotContain(
              "Astrid", "Exempel", "197001011234", new String(site.token().pinCharacters()));
      for (byte[] blob : blobs) {
        assertThat(all)
            .doesNotContain(
                HexFormat.of().formatHex(blob), Base64.getEncoder().encodeToString(blob));
      }
    }
  }

  @Test
  void filesThatTakeEffectAreLoggedByTheirHash() throws Exception {
    Path profiles = Files.createDirectory(home.resolve("profiles"));
    Path profile = Files.writeString(profiles.resolve("brief.yaml"), "profile: {validity: 1d}\n");
    Path callers = Files.writeString(home.resolve("callers.yaml"), callers("one"));
    String before = sha256(callers);
    try (RunningKeywell keywell =
        start(
            Map.of(
                "keywell.log.origin", ORIGIN,
                "keywell.ca.profiles-directory", profiles.toString(),
                "keywell.security.callers-file", callers.toString()))) {
      Files.writeString(callers, "callers: [nonsense]");
      Files.writeString(callers, callers("another"));
      Await.until("the change is logged", () -> log(keywell, "callers").size() == 2);

      assertThat(log(keywell, "callers"))
          .extracting(e -> e.text("file") + " " + e.text("sha256"))
          .containsExactly("callers.yaml " + before, "callers.yaml " + sha256(callers));
      assertThat(log(keywell, "profiles"))
          .extracting(e -> e.text("file") + " " + e.text("sha256"))
          .containsExactly("brief.yaml " + sha256(profile));
      assertThat(log(keywell, "bootstrap"))
          .singleElement()
          .extracting(e -> e.entry().path("made").toString(), InstanceOfAssertFactories.STRING)
          .contains("root (CN=", "SHA-256 ", "audit key 'keywell-log'");
    }
  }

  private static String callers(String name) {
    return "callers: [{name: %1$s, certificate: {subject: CN=%1$s}, roles: [observe]}]\n"
        .formatted(name);
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  private List<Logged> log(RunningKeywell keywell, String type) throws Exception {
    return log(keywell).stream().filter(entry -> entry.type().equals(type)).toList();
  }

  @Test
  void whoAltersTheTailIsTold() throws Exception {
    try (RunningKeywell keywell = start(KEPT)) {
      proof(keywell, signed(keywell));
      site.sql().update("UPDATE log_tree SET size = 0, root = sha256(''), checkpoint_size = NULL");

      Await.until("the metric tells", () -> keywell.scrape().value("keywell_log_altered") == 1);
      JsonNode readiness = keywell.management().get("/actuator/health/readiness").body();
      assertThat(
              readiness.path("components").path("log").path("details").path("altered").asString())
          .contains("had");
      signed(keywell);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/log/tile/0/000, 404, log-entry-not-found",
    "/log/tile/entries/x001/000, 404, log-entry-not-found",
    "/log/tile/0/0, 404, not-found",
    "/log/tile/64/000, 404, not-found",
    "/log/tile/0/000.p/256, 404, not-found",
    "/log/tile/0/x000/000, 404, not-found",
    "/log/proof/4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e, 404, log-entry-not-found",
    "/log/proof/nonsense, 400, bad-request-id",
  })
  void whatIsNotThereIsRefusedByName(String path, int status, String problem) throws Exception {
    try (RunningKeywell keywell = start(KEPT)) {
      HttpApi.Answer answer = keywell.http().get(path);
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.problem()).isEqualTo(problem);
    }
  }

  @Test
  void withoutAnOriginNothingIsLogged() throws Exception {
    try (RunningKeywell keywell = start(Map.of())) {
      signed(keywell);
      assertThat(keywell.http().get("/log/checkpoint").problem()).isEqualTo("log-not-kept");
      assertThat(site.sql().count("SELECT count(*) FROM log_pending")).isZero();
    }
  }

  /** No instance can leave the log, or take another for it. */
  @ParameterizedTest
  @CsvSource({"''", "another.example/log"})
  void aLogThatIsKeptIsKeptByAll(String origin) {
    start(KEPT).close();

    Map<String, String> settings =
        site.settings(Settings.pool(SPEC, 3), Map.of("keywell.log.origin", origin));
    assertThat(failureOf(settings))
        .contains("keeps the log '" + ORIGIN + "'", "keywell.log.origin");
  }

  private static String failureOf(Map<String, String> settings) {
    try (RunningKeywell _ = RunningKeywell.start(settings)) {
      return "it starts";
    } catch (RuntimeException e) {
      StringBuilder all = new StringBuilder();
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        all.append(cause.getMessage()).append('\n');
      }
      return all.toString();
    }
  }
}
