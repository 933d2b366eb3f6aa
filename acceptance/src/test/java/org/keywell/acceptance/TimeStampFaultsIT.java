package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.bouncycastle.tsp.TimeStampResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.PostgresForTests;

/** Time stamps while the first of two HSMs is lost, hangs, or signs wrongly. */
@Timeout(240)
final class TimeStampFaultsIT {

  private static final long CKR_DEVICE_REMOVED = 0x32;

  /** Of a signature in the first HSM, and again in the other. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(8);

  private final Path home;
  private final OpenSsl openssl;

  TimeStampFaultsIT(@TempDir Path home) {
    this.home = home;
    openssl = new OpenSsl(home);
  }

  private Map<String, String> settings(SoftHsmToken east, SoftHsmToken west) {
    Map<String, String> all = new HashMap<>();
    all.put("keywell.tsa.enabled", "true");
    all.put("keywell.hsm.call-limit", "2s");
    all.put("keywell.hsm.hang-limit", "0");
    all.putAll(Settings.besides(west));
    return Settings.of(east, PostgresForTests.newDatabase(), home, all);
  }

  @Test
  void theOtherHsmStampsMeanwhile() throws Exception {
    Files.writeString(home.resolve("document"), "a document");
    openssl.run("ts", "-query", "-data", "document", "-sha256", "-cert", "-out", "query");
    try (FaultyModule module = FaultyModule.create(home.resolve("east"));
        RunningKeywell keywell =
            RunningKeywell.start(
                settings(SoftHsmToken.create(module.path()), SoftHsmToken.create()))) {
      String east = unit(keywell);

      module.gone(CKR_DEVICE_REMOVED);
      module.forgetSessions();
      String west = unit(keywell);
      assertThat(west).isNotEqualTo(east);
      module.back();
      Await.until("east stamps again", () -> unit(keywell).equals(east));

      module.inject("C_Sign", Fault.corrupting());
      assertThat(unit(keywell)).isEqualTo(west);
      module.clear("C_Sign");
      Await.until("east stamps again", () -> unit(keywell).equals(east));

      module.inject("C_Sign", Fault.hanging());
      long began = System.nanoTime();
      assertThat(unit(keywell)).isEqualTo(west);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONGEST_ANSWER);
      module.clear("C_Sign");
      Await.until("east stamps again", () -> unit(keywell).equals(east));
    }
  }

  /**
   * Asks for a time stamp, verifies it, and returns the serial number of the unit's certificate.
   */
  private String unit(RunningKeywell keywell) throws Exception {
    HttpResponse<byte[]> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + keywell.port() + "/tsa"))
                    .header("Content-Type", "application/timestamp-query")
                    .POST(HttpRequest.BodyPublishers.ofFile(home.resolve("query")))
                    .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.statusCode()).isEqualTo(200);
    Files.write(home.resolve("answer"), answer.body());
    assertThat(
            openssl.run(
                "ts",
                "-verify",
                "-in",
                "answer",
                "-queryfile",
                "query",
                "-CAfile",
                home.resolve("ca/root.pem").toString()))
        .contains("Verification: OK");
    return new TimeStampResponse(answer.body())
        .getTimeStampToken()
        .getSID()
        .getSerialNumber()
        .toString();
  }
}
