package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Clients;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Sql;

/**
 * SIGTERM under load: what was accepted is answered, and what was not used is back in the store.
 */
final class TerminationIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 1_500;

  private static final Pattern CONTENT_LENGTH = Pattern.compile("\r\nContent-Length: (\\d+)\r\n");

  @TempDir Path home;

  @Test
  void anOrderlyStopLosesNeitherRequestNorKey() throws Exception {
    try (Site site = Site.create(home)) {
      Sql sql = site.sql();
      site.stock(SPEC, STOCK);
      Set<String> answered = new TreeSet<>();
      try (KeywellProcess keywell = serve(site, "first.log");
          Clients clients = Clients.start(keywell.awaitReady(), SPEC, 4)) {
        clients.awaitAnswers(100);
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
        clients.join();
        clients
            .answered()
            .forEach((id, answer) -> {
              if (answer.status() == 200) {
                answered.add(id.toString());
              } else {
                assertThat(answer.problem()).isEqualTo("shutting-down");
              }
            });
      }
      assertThat(sql.texts("SELECT request_id FROM sign_request WHERE status = 'signed'"))
          .as("requests on record, and those that were answered")
          .containsExactlyInAnyOrderElementsOf(answered);
      assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status <> 'signed'")).isZero();
      assertBalance(sql, answered.size());

      try (KeywellProcess keywell = serve(site, "second.log")) {
        HttpApi http = keywell.awaitReady();
        assertThat(keywell.log()).doesNotContain("ended without order");
        assertThat(http.sign(SignBody.of("after").keySpec(SPEC)).status()).isEqualTo(200);
        keywell.terminate();
        assertThat(keywell.awaitExit()).isIn(0, 143);
      }
      assertBalance(sql, answered.size() + 1);
    }
  }

  /** As an outage of the database leaves behind, whose outcome was lost with it. */
  @Test
  void anOrderlyStopClosesWhatAFailureLeftOpen() throws Exception {
    try (Site site = Site.create(home)) {
      try (KeywellProcess keywell = serve(site, "first.log")) {
        keywell.awaitReady();
        site.sql()
            .update(
                "INSERT INTO claimed_key (id, key_spec, instance)"
                    + " VALUES (-1, 'EC-P256', 'keywell-1')");
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
        assertThat(keywell.log()).contains("closed at the stop", "0 requests", "1 keys forfeited");
      }
      assertThat(site.sql().count("SELECT count(*) FROM claimed_key")).isZero();

      try (KeywellProcess keywell = serve(site, "second.log")) {
        keywell.awaitReady();
        assertThat(keywell.log()).doesNotContain("ended without order");
      }
    }
  }

  /** One connection, over which one request follows the other until it is the last one. */
  @Test
  void aKeptConnectionIsToldOfTheStopAndNotCut() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 500);
      try (KeywellProcess keywell = serve(site, "keywell.log")) {
        URI base = keywell.awaitReady().base();
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
          socket.setSoTimeout(20_000);
          assertThat(sign(socket)).startsWith("HTTP/1.1 200");
          keywell.terminate();
          String answer;
          do {
            Thread.sleep(20);
            answer = sign(socket);
          } while (answer.startsWith("HTTP/1.1 200"));
          assertThat(answer)
              .as("the last answer")
              .startsWith("HTTP/1.1 503")
              .contains("urn:keywell:problem:shutting-down", "Connection: close");
        }
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
      }
    }
  }

  /** Everything up to the end of the answer, or of the connection. */
  private static String sign(Socket socket) throws Exception {
    String body = SignBody.of("document").keySpec(SPEC).json();
    socket
        .getOutputStream()
        .write(
            ("POST /sign HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: %d\r\n\r\n%s".formatted(body.length(), body))
                .getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    StringBuilder answer = new StringBuilder();
    while (!answer.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return answer.toString();
      }
      answer.append((char) next);
    }
    Matcher length = CONTENT_LENGTH.matcher(answer);
    byte[] content =
        length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : in.readAllBytes();
    return answer.append(new String(content, StandardCharsets.US_ASCII)).toString();
  }

  private static KeywellProcess serve(Site site, String log) throws Exception {
    return KeywellProcess.start(
        site.settings(Settings.pool(SPEC, 60), Map.of("keywell.http.drain", "1s")),
        site.home().resolve(log),
        "serve");
  }

  private static void assertBalance(Sql sql, int used) throws Exception {
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).as("keys on the ledger").isZero();
    assertThat(sql.count("SELECT count(*) FROM pool_key")).isEqualTo(STOCK - used);
  }
}
