package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.testkit.Await;
import org.keywell.tlog.AddCheckpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.TreeHash;

/** One deployment witnesses the log of another, each with its own token and database. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(240)
final class WitnessIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String ORIGIN = "sign.example.org/log";
  private static final String NAME = "witness.example.net/w";

  @TempDir Path logHome;
  @TempDir Path witnessHome;

  private final HttpClient client = HttpClient.newHttpClient();
  private Site logSite;
  private Site witnessSite;

  @BeforeEach
  void create() throws InterruptedException {
    logSite = Site.create(logHome);
    logSite.stock(SPEC, 20);
    witnessSite = Site.create(witnessHome);
  }

  @AfterEach
  void close() {
    logSite.close();
    witnessSite.close();
    client.close();
  }

  private RunningKeywell log(Map<String, String> more) {
    return RunningKeywell.start(
        logSite.settings(Settings.pool(SPEC, 15), Map.of("keywell.log.origin", ORIGIN), more));
  }

  private RunningKeywell witness(List<NoteKey> keys) {
    Map<String, String> settings = new HashMap<>();
    settings.put("keywell.log.witness.name", NAME);
    for (int i = 0; i < keys.size(); i++) {
      settings.put("keywell.log.witness.logs[" + i + "]", keys.get(i).toString());
    }
    return RunningKeywell.start(witnessSite.settings(settings));
  }

  private static Map<String, String> witnessedBy(RunningKeywell witness, NoteKey key) {
    return Map.of(
        "keywell.log.witnesses[0].url", witness.http().base().resolve("/witness").toString(),
        "keywell.log.witnesses[0].key", key.toString(),
        "keywell.log.witness-quorum", "1");
  }

  private String get(RunningKeywell keywell, String path) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(keywell.http().base().resolve(path)).build(),
            BodyHandlers.ofString(StandardCharsets.UTF_8));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  private List<NoteKey> keys(RunningKeywell keywell, String path) throws Exception {
    return get(keywell, path).lines().map(NoteKey::parse).toList();
  }

  private static UUID signed(RunningKeywell keywell) throws IOException, InterruptedException {
    UUID id = UUID.randomUUID();
    assertThat(
            keywell
                .http()
                .sign(
                    SignBody.of("document")
                        .requestId(id)
                        .keySpec(SPEC)
                        .scheme(SignatureScheme.ECDSA))
                .status())
        .isEqualTo(200);
    return id;
  }

  private boolean hasProof(RunningKeywell keywell, UUID id) throws Exception {
    return client
            .send(
                HttpRequest.newBuilder(keywell.http().base().resolve("/log/proof/" + id)).build(),
                BodyHandlers.discarding())
            .statusCode()
        == 200;
  }

  private HttpResponse<String> offer(RunningKeywell witness, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(witness.http().base().resolve("/witness/add-checkpoint"))
            .POST(BodyPublishers.ofString(body, StandardCharsets.UTF_8))
            .build(),
        BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  private List<NoteKey> keysOfTheLog() throws Exception {
    try (RunningKeywell keywell = log(Map.of())) {
      return keys(keywell, "/log/key");
    }
  }

  @Test
  void proofsAreCosignedAndAForkIsRefused() throws Exception {
    List<NoteKey> logKeys = keysOfTheLog();
    try (RunningKeywell witness = witness(logKeys)) {
      NoteKey witnessKey = keys(witness, "/witness/key").getFirst();
      assertThat(witnessKey.type()).isEqualTo(NoteKey.Type.COSIGNATURE_ED25519);
      Map<String, String> witnessed = witnessedBy(witness, witnessKey);
      SignedNote seen;
      try (RunningKeywell keywell = log(witnessed)) {
        UUID id = signed(keywell);
        Await.until("the proof is cosigned", () -> hasProof(keywell, id));

        TlogProof proof =
            TlogProof.parse(get(keywell, "/log/proof/" + id).getBytes(StandardCharsets.UTF_8));
        proof.verify(ORIGIN, logKeys, TreeHash.ofLeaf(proof.extra()));
        assertThat(proof.checkpoint().signedBy(List.of(witnessKey))).containsExactly(witnessKey);
        seen =
            SignedNote.parse(
                get(keywell, "/log/witnessed-checkpoint").getBytes(StandardCharsets.UTF_8));
        assertThat(keywell.scrape().value("keywell_log_altered")).isZero();
      }
      refusesByTheProtocol(witness, seen);

      // Somebody who owns the database and uses the HSM replaces the whole log by another one.
      logSite
          .sql()
          .update(
              "TRUNCATE log_entry, log_node, log_pending, log_cosigned, log_witness;"
                  + " UPDATE log_tree SET size = 0, root = sha256(''), checkpoint_size = NULL,"
                  + " checkpoint = NULL");
      Map<String, String> accepted = new HashMap<>(witnessed);
      accepted.put("keywell.database.accept-restored", "true");
      try (RunningKeywell forked = log(accepted)) {
        UUID id = signed(forked);
        Await.until("the fork is told of", () -> forked.scrape().value("keywell_log_altered") == 1);
        assertThat(
                forked
                    .management()
                    .get("/actuator/health/readiness")
                    .body()
                    .path("components")
                    .path("log")
                    .path("details")
                    .path("altered")
                    .asString())
            .contains(NAME, "has cosigned");
        assertThat(hasProof(forked, id)).as("proofs of the fork").isFalse();
      }
      assertThat(witnessSite.sql().text("SELECT origin FROM log_witnessed")).isEqualTo(ORIGIN);
    }
  }

  private void refusesByTheProtocol(RunningKeywell witness, SignedNote seen) throws Exception {
    assertThat(offer(witness, "nonsense").statusCode()).isEqualTo(400);
    HttpResponse<String> behind = offer(witness, text(new AddCheckpoint(0, List.of(), seen)));
    assertThat(behind.statusCode()).isEqualTo(409);
    assertThat(behind.headers().firstValue("Content-Type")).hasValue("text/x.tlog.size");
    assertThat(behind.body())
        .isEqualTo(witnessSite.sql().text("SELECT size::text FROM log_witnessed") + "\n");
    SignedNote unknown =
        new SignedNote(
            "other.example/log\n0\n" + TreeHash.EMPTY_TREE + "\n",
            List.of(new NoteSignature("other.example/log", 1, new byte[] {1})));
    assertThat(offer(witness, text(new AddCheckpoint(0, List.of(), unknown))).statusCode())
        .isEqualTo(404);
    SignedNote unsigned = new SignedNote(seen.text(), unknown.signatures());
    assertThat(offer(witness, text(new AddCheckpoint(0, List.of(), unsigned))).statusCode())
        .isEqualTo(403);
    assertThat(offer(witness, "x".repeat(20_000)).statusCode()).isEqualTo(413);
  }

  private static String text(AddCheckpoint offer) {
    return new String(offer.bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void whoIsNoWitnessSaysSo() throws Exception {
    try (RunningKeywell keywell = RunningKeywell.start(witnessSite.settings())) {
      assertThat(keywell.http().get("/witness/key").problem()).isEqualTo("not-found");
    }
  }
}
