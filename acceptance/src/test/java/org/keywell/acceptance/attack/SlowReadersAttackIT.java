package org.keywell.acceptance.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.attack.SlowConnections.Kind;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;

/** More connections than are served at once, each of which asks for 30 MB and hardly reads. */
@Tag("attack")
final class SlowReadersAttackIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int CONNECTIONS = 1_300;
  private static final Duration ATTACK = Duration.ofSeconds(90);
  private static final Duration SLOW = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 500;
  private static final long SEND_BUFFERS_MEBIBYTES = 200;

  @TempDir Path home;

  @Test
  void anOrdinaryCallerSignsAllTheTime() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 1_500);
      try (KeywellProcess keywell =
          KeywellProcess.start(
              List.of("-Xmx400m"),
              site.settings(Settings.pool(SPEC, 100), Map.of("server.port", "0")),
              home.resolve("keywell.log"),
              "serve")) {
        URI base = keywell.awaitReady().base();
        long most = 0;
        OrdinaryCaller ordinary;
        try (SlowConnections slow =
            SlowConnections.start(base.getPort(), CONNECTIONS, Kind.SLOW_READER)) {
          ordinary = OrdinaryCaller.start(new HttpApi(base));
          long start = System.nanoTime();
          while (System.nanoTime() - start < ATTACK.toNanos()) {
            most = Math.max(most, unsentMebibytes(base.getPort()));
            Thread.sleep(PAUSE_MILLIS);
          }
          ordinary.leave();
          System.out.printf(
              "signed %d, failed %d, the slowest after %d ms; at most %d MiB unsent, %d ended%n",
              ordinary.signed(),
              ordinary.failures().size(),
              ordinary.longest().toMillis(),
              most,
              slow.cut());
          assertThat(slow.cut()).as("slow readers that were cut").isPositive();
        }
        assertThat(ordinary.failures()).as("beside %d signed", ordinary.signed()).isEmpty();
        assertThat(ordinary.longest()).isLessThan(SLOW);
        assertThat(most).as("MiB that the system keeps unsent").isLessThan(SEND_BUFFERS_MEBIBYTES);
        assertThat(keywell.log()).doesNotContain("OutOfMemoryError", "ERROR", "WARN");
      }
    }
  }

  /** What waits in send buffers of connections to this port, as proc_pid_net_tcp(5) has it. */
  private static long unsentMebibytes(int port) throws IOException {
    String suffix = ":%04X".formatted(port);
    long octets = 0;
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[1].endsWith(suffix)) {
          octets += Long.parseLong(fields[4].substring(0, 8), 16);
        }
      }
    }
    return octets >> 20;
  }
}
