package org.keywell.loadgen.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.service.OwnService.Tier;

/** Real processes, small ones. */
@Tag("process")
@Timeout(120)
final class OwnServiceTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final StringWriter err = new StringWriter();

  @TempDir private Path home = Path.of("");

  private OwnService start(Map<String, String> more, Duration patience) throws IOException {
    return SmallService.program(home, more)
        .start("it", Map.of("KEYWELL_POOL_MODE", "pooled"), patience, new PrintWriter(err, true));
  }

  private OwnService start(Map<String, String> more) throws IOException {
    return start(more, LIMIT);
  }

  @Test
  void itIsReadyHasItsKeysAndEndsInOrder() throws Exception {
    Path log;
    try (OwnService service = start(Map.of())) {
      service.awaitKeys(120, "RSA-2048", Tier.LOADED, LIMIT);
      assertThat(service.progress()).isEqualTo("loaded RSA-2048 keys 120/120");
      assertThat(service.metrics().getPort()).isEqualTo(service.url().getPort() + 1);
      log = service.log();
    }

    assertThat(log).isEqualTo(home.resolve("logs/it.log"));
    assertThat(Files.readAllLines(log)).contains("ended in order");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aServiceForRequestsThatMakeTheirKeysNeedOnlyBeReady() throws Exception {
    Map<String, String> none = new HashMap<>(SmallService.sayingMode("on-the-fly"));
    none.putAll(SmallService.loadingNone());
    try (OwnService service = start(none)) {
      service.awaitKeys(1_000_000, "RSA-2048", Tier.LOADED, LIMIT);
      service.awaitAllLoaded(LIMIT);
    }
  }

  /** The low-water mark is 50: what is left is less than that. */
  @Test
  void keysThatAreGoneAreNotWaitedFor() throws Exception {
    try (OwnService service = start(SmallService.having(20, 100))) {
      service.awaitAllLoaded(LIMIT);
    }
  }

  @Test
  void whatIsNotLoadedIsSaid() throws Exception {
    try (OwnService service = start(SmallService.having(20, 100))) {
      assertThatThrownBy(() -> service.awaitAllLoaded(Duration.ZERO))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has not loaded its keys after 0 s");
    }
  }

  @Test
  void whyItRefusedToStartIsItsLastLine() throws Exception {
    try (OwnService service = start(SmallService.endingWith(2))) {
      assertThatThrownBy(() -> service.awaitKeys(1, "RSA-2048", Tier.EITHER, LIMIT))
          .isInstanceOf(IOException.class)
          .hasMessage("the service did not start: this is why");
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void whenItEndsOtherwiseTheEndOfItsLogIsShown() throws Exception {
    try (OwnService service = start(SmallService.endingWith(1))) {
      assertThatThrownBy(() -> service.awaitKeys(1, "RSA-2048", Tier.EITHER, LIMIT))
          .isInstanceOf(IOException.class)
          .hasMessage("the start failed; the service's whole log is " + service.log());
      assertThat(service.explain(new IOException("no answer"), "bench"))
          .hasMessageStartingWith("bench failed; ");
    }
    assertThat(err.toString()).contains("--- the end of ", "this is why");
  }

  @Test
  void aFailureWhileItRunsIsNotItsOwn() throws Exception {
    try (OwnService service = start(Map.of())) {
      IOException failure = new IOException("the disk is full");
      assertThat(service.explain(failure, "bench")).isSameAs(failure);
    }
  }

  @Test
  void keysThatNeverComeAreNotAwaitedForever() throws Exception {
    try (OwnService service = start(Map.of())) {
      service.awaitKeys(1, "RSA-2048", Tier.EITHER, LIMIT);
      assertThatThrownBy(
              () -> service.awaitKeys(1_000_000, "RSA-2048", Tier.EITHER, Duration.ofMillis(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has not 1000000 RSA-2048 keys after 0 s");
    }
  }

  @Test
  void aServiceThatDoesNotEndIsKilled() throws Exception {
    OwnService service = start(SmallService.neverEnding(), Duration.ofSeconds(1));
    service.awaitKeys(1, "RSA-2048", Tier.EITHER, LIMIT);

    service.close();

    assertThat(err.toString()).contains(" did not end within 1 s; it is killed");
    assertThatThrownBy(() -> service.awaitKeys(1, "RSA-2048", Tier.EITHER, LIMIT))
        .hasMessageStartingWith("the start failed");
  }

  @Test
  void anInterruptionEndsTheWaitAndTheService() throws Exception {
    OwnService service = start(Map.of());
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> service.awaitKeys(1_000_000, "RSA-2048", Tier.EITHER, LIMIT))
        .isInstanceOf(InterruptedException.class);
    Thread.currentThread().interrupt();
    service.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(() -> service.awaitKeys(1, "RSA-2048", Tier.EITHER, LIMIT))
        .hasMessageStartingWith("the start failed");
  }

  @Test
  void keysAreMadeAtTheDevicesOwnSpeed() throws Exception {
    ServiceProgram program =
        SmallService.program(home, Map.of("KEYWELL_HSM_PROFILE", "luna-sa-1700"));

    assertThat(program.fill(70, "EC-P256", new PrintWriter(err, true))).isZero();

    assertThat(Files.readString(home.resolve("filled"))).isEqualTo("70 EC-P256 null");
    assertThat(
            SmallService.program(home, SmallService.endingWith(2))
                .fill(70, "EC-P256", new PrintWriter(err, true)))
        .isEqualTo(2);
  }

  @Test
  void aPortThatIsGivenIsTakenAndMustBeOne() throws Exception {
    for (String port : List.of("0", "65536", "http", "-1")) {
      assertThatThrownBy(() -> start(Map.of("SERVER_PORT", port)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("SERVER_PORT: '" + port + "' is no port");
    }
    int free = FreePorts.from(21_000);
    try (OwnService service = start(Map.of("SERVER_PORT", Integer.toString(free)))) {
      assertThat(service.url()).hasPort(free);
    }
  }

  @Test
  void portsThatAreTakenArePassedOver() throws Exception {
    int first = FreePorts.from(22_000);
    try (ServerSocket _ = new ServerSocket(first + 1, 1, InetAddress.getLoopbackAddress())) {
      assertThat(FreePorts.from(first)).isGreaterThan(first + 1);
    }
  }

  @Test
  void theLaunchersServiceIsRunPrivatelyInThisJava() {
    Map<String, String> environment = new HashMap<>();
    assertThatThrownBy(() -> ServiceProgram.of(environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use ./keywell");

    environment.put(
        "KEYWELL_SERVICE_PROGRAM", "-Xmx1g\n-XX:AOTCache=/the build/a\n-jar\n/the build/s.jar");
    environment.put("KEYWELL_HOME", "/the home");
    ServiceProgram program = ServiceProgram.of(environment);

    assertThat(program.command())
        .startsWith("/bin/sh", "-c")
        .endsWith(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-XX:AOTCache=/the build/a",
            "-jar",
            "/the build/s.jar");
    assertThat(program.logs()).isEqualTo(Path.of("/the home/logs"));
  }
}
