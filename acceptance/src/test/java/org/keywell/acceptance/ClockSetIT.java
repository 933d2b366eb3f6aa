package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ForeignClock;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Site;
import org.keywell.acceptance.running.StampCallers;
import org.keywell.testkit.Await;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.TimeServer;

/** The clock of a service's process is set back and forth while callers ask for time stamps. */
@Tag("lint")
@Timeout(200)
final class ClockSetIT {

  private static final int CALLERS = 4;
  private static final int FLAPS = 100;
  private static final long SEED = 28;

  /** {@code keywell.tsa.accuracy}. */
  private static final Duration ACCURACY = Duration.ofSeconds(1);

  private static final List<Duration> STEPS =
      List.of(
          Duration.ofMinutes(10),
          Duration.ofMinutes(-10),
          Duration.ofMillis(700),
          Duration.ofMillis(-700),
          Duration.ofDays(3650),
          Duration.ofDays(-1));

  @TempDir private Path home;
  @TempDir private Path others;
  private int port;
  private Site site;
  private ForeignClock clock;
  private TimeServer server;
  private KeywellProcess service;
  private HttpApi api;
  private StampCallers callers;

  @BeforeEach
  void start() throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    clock = new ForeignClock(Files.createDirectory(others.resolve("clock")));
    site = Site.create(home);
    server = TimeServer.start(Files.createDirectory(others.resolve("server")), port);
    Map<String, String> settings =
        new HashMap<>(
            site.settings(
                Map.of(
                    "keywell.tsa.enabled",
                    "true",
                    "keywell.tsa.time-servers",
                    "127.0.0.1:" + port,
                    "keywell.tsa.time-servers-every",
                    "1s")));
    settings.putAll(clock.environment());
    service = KeywellProcess.start(settings, others.resolve("log"), "serve");
    api = service.awaitReady();
    OpenSsl openssl = new OpenSsl(others);
    Files.writeString(others.resolve("document"), "a document");
    openssl.run("ts", "-query", "-data", "document", "-sha256", "-out", "query");
    callers =
        new StampCallers(
            api.base().resolve("/tsa"), Files.readAllBytes(others.resolve("query")), CALLERS);
    awaitGranted();
  }

  @AfterEach
  void stop() throws IOException {
    service.close();
    server.close();
    site.close();
  }

  /** As soon as it is set, nobody gets a time stamp; when it is right again, the server says so. */
  @Test
  void noTimeStampHasAnotherTime() throws Exception {
    for (Duration step : STEPS) {
      clock.set(step);
      awaitRejected();
      int before = callers.granted();
      Thread.sleep(1500);
      assertThat(callers.granted()).as("while the clock is %s off", step).isEqualTo(before);
      clock.set(Duration.ZERO);
      awaitGranted();
    }

    Random random = new Random(SEED);
    for (int i = 0; i < FLAPS; i++) {
      clock.set(random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(random.nextInt(60_000)));
      Thread.sleep(random.nextInt(40));
    }
    clock.set(Duration.ZERO);
    awaitGranted();
    callers.close();

    System.out.printf(
        "clock set %d times: %d time stamps, %d rejected, %d cut, the worst is wrong by %s%n",
        STEPS.size() + FLAPS,
        callers.granted(),
        callers.rejected(),
        callers.cut(),
        callers.worst());
    assertThat(callers.worst()).isLessThan(ACCURACY);
    assertThat(service.log()).contains("no time stamps: the clock has jumped by");
  }

  private void awaitGranted() throws Exception {
    int before = callers.granted();
    Await.until("time stamps are made", () -> callers.granted() > before + 10 * CALLERS);
  }

  private void awaitRejected() throws Exception {
    int before = callers.rejected();
    Await.until("requests are rejected", () -> callers.rejected() > before + CALLERS);
  }
}
