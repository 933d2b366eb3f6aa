package org.keywell.acceptance.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.attack.SlowConnections.Kind;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;

/** Ten thousand connections that hardly say anything, on a small heap. */
@Tag("attack")
final class SlowConnectionsAttackIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int CONNECTIONS = 10_000;
  private static final long ATTACK_NANOS = 40_000_000_000L;
  private static final long PAUSE_MILLIS = 100;
  private static final long SLOW_NANOS = 5_000_000_000L;

  @TempDir Path home;

  @Test
  void anOrdinaryCallerSignsAllTheTime() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 600);
      try (KeywellProcess keywell =
          KeywellProcess.start(
              List.of("-Xmx400m"),
              site.settings(Settings.pool(SPEC, 100), Map.of("server.port", "0")),
              home.resolve("keywell.log"),
              "serve")) {
        URI base = keywell.awaitReady().base();
        List<String> failures = new ArrayList<>();
        int asked = 0;
        int most = 0;
        try (SlowConnections slow =
            SlowConnections.start(
                base.getPort(), CONNECTIONS, Kind.SLOW_BODY, Kind.SLOW_HEAD, Kind.SILENT)) {
          long start = System.nanoTime();
          while (System.nanoTime() - start < ATTACK_NANOS) {
            asked++;
            // A connection of its own each time: who has one already is served in any case.
            String failure = sign(new HttpApi(base), "document " + asked);
            if (!failure.isEmpty()) {
              failures.add(failure);
            }
            most = Math.max(most, slow.open());
            Thread.sleep(PAUSE_MILLIS);
          }
          System.out.printf(
              "asked %d, failed %d; %d slow connections, %d ended%n",
              asked, failures.size(), most, slow.cut());
        }
        assertThat(failures).as("of %d requests", asked).isEmpty();
        assertThat(keywell.isAlive()).isTrue();
        assertThat(keywell.log()).doesNotContain("OutOfMemoryError", "ERROR", "WARN");
      }
    }
  }

  private static String sign(HttpApi http, String document) throws InterruptedException {
    long start = System.nanoTime();
    try {
      HttpApi.Answer answer = http.sign(SignBody.of(document).keySpec(SPEC));
      long nanos = System.nanoTime() - start;
      return answer.status() == 200 && nanos < SLOW_NANOS
          ? ""
          : answer.status() + " after " + nanos / 1_000_000 + " ms";
    } catch (java.io.IOException e) {
      return e + " after " + (System.nanoTime() - start) / 1_000_000 + " ms";
    }
  }
}
