package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Clients;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.Relay;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.Sql;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * PostgreSQL freezes, or cannot be reached, for some seconds under load: it costs no key, no answer
 * leaves without its record, and the service goes on by itself.
 */
@Timeout(180)
@Tag("process")
@ExtendWith(OutputCaptureExtension.class)
final class DatabaseOutageIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 3_000;
  private static final int LOADED = 200;
  private static final int CLIENTS = 8;

  @TempDir Path home;

  @Test
  void aServerThatFreezesCostsNoKey() throws Exception {
    try (Site site = Site.create(home)) {
      ProcessHandle server = postmaster(site.sql());
      outage(
          site,
          URI.create(site.database().url().substring("jdbc:".length())).getPort(),
          () -> {
            signal("STOP", server);
            Thread.sleep(Duration.ofSeconds(8));
            signal("CONT", server);
          });
    }
  }

  @Test
  void aServerThatCannotBeReachedCostsNoKey(CapturedOutput log) throws Exception {
    try (Site site = Site.create(home)) {
      URI server = URI.create(site.database().url().substring("jdbc:".length()));
      Relay before = Relay.start(0, server);
      outage(
          site,
          before.port(),
          () -> {
            before.close();
            Thread.sleep(Duration.ofSeconds(4));
            // It ends with the process.
            var _ = Relay.start(before.port(), server);
          });
    }
    assertThat(log.getAll().lines().filter(line -> line.startsWith("\tat "))).isEmpty();
  }

  @FunctionalInterface
  private interface Fault {
    /** Returns when the database is there again. */
    void run() throws Exception;
  }

  private void outage(Site site, int port, Fault fault) throws Exception {
    site.stock(SPEC, STOCK);
    String url = site.database().url().replaceFirst(":\\d+/", ":" + port + "/");
    Map<String, String> settings =
        site.settings(Settings.pool(SPEC, LOADED), Map.of("keywell.database.url", url));
    Map<UUID, HttpApi.Answer> answered;
    try (RunningKeywell keywell = RunningKeywell.start(settings)) {
      keywell.awaitLoaded(SPEC, LOADED);
      Clients clients = Clients.start(keywell.http(), SPEC, CLIENTS);
      try (clients) {
        clients.awaitAnswers(200);
        fault.run();
        long back = System.nanoTime();
        Await.until("a request is signed again", () -> isSigned(keywell.http()));
        System.out.printf(
            "the service signs again %d ms after the database is back%n",
            (System.nanoTime() - back) / 1_000_000);
      }
      clients.join();
      answered = clients.answered();
    }
    Sql sql = site.sql();
    assertAnswersAreOnRecord(sql, answered);
    assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status = 'received'")).isZero();
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).as("on the ledger").isZero();
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM sign_request
                WHERE status <> 'signed' AND (key_id IS NOT NULL OR withheld_key_id IS NOT NULL)
                """))
        .as("keys spent for nothing")
        .isZero();
    long signed = sql.count("SELECT count(*) FROM sign_request WHERE status = 'signed'");
    // The loader may have lost the answer to a claim, whose keys are forfeited at the stop.
    assertThat(sql.count("SELECT count(*) FROM pool_key"))
        .as("keys left, %s requests are signed", signed)
        .isBetween(STOCK - signed - LOADED, STOCK - signed);
  }

  private static boolean isSigned(HttpApi http) throws Exception {
    return http.sign(SignBody.of("after").keySpec(SPEC)).status() == 200;
  }

  private static void assertAnswersAreOnRecord(Sql sql, Map<UUID, HttpApi.Answer> answered)
      throws Exception {
    Map<String, String> signatures = new HashMap<>();
    for (String line :
        sql.texts(
            """
            SELECT concat_ws(' ', request_id, encode(signature, 'hex')) FROM sign_request
            WHERE status = 'signed'
            """)) {
      signatures.put(line.substring(0, 36), line.substring(37));
    }
    for (Map.Entry<UUID, HttpApi.Answer> entry : answered.entrySet()) {
      HttpApi.Answer answer = entry.getValue();
      if (answer.status() == 200) {
        assertThat(signatures.get(entry.getKey().toString()))
            .isEqualTo(HexFormat.of().formatHex(SignedAnswer.of(answer).signature()));
      } else {
        assertThat(answer.problem())
            .isIn("record-unavailable", "deadline", "queue-full", "wait-too-long");
      }
    }
  }

  /** Of the embedded server. */
  private static ProcessHandle postmaster(Sql sql) throws Exception {
    String pid =
        sql.text("SELECT pg_read_file('postmaster.pid')").lines().findFirst().orElseThrow();
    Path name = Path.of("/proc", pid, "comm");
    assumeTrue(
        Files.exists(name) && Files.readString(name).startsWith("postgres"),
        "the server is in a container, where its processes cannot be stopped from here");
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }

  /** To all of its processes, and first to the one that makes them. */
  private static void signal(String name, ProcessHandle postmaster) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(postmaster.pid())).start().waitFor();
    for (ProcessHandle process : postmaster.descendants().toList()) {
      if (process.isAlive()) {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      }
    }
  }
}
