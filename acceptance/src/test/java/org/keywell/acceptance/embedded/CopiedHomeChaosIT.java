package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Clients;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.PostgresProcesses;
import org.keywell.testkit.SoftHsm2;

/**
 * A machine is lost at a random moment under load, and another goes on from a copy of its disk as
 * it was at that moment: database and token. No key signs twice. Once by default; {@code
 * -Dkeywell.chaos.copies} and {@code -Dkeywell.chaos.seed} say otherwise.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(3600)
final class CopiedHomeChaosIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int COPIES = Integer.getInteger("keywell.chaos.copies", 1);
  private static final long SEED = Long.getLong("keywell.chaos.seed", 20_261_122L);
  private static final int CLIENTS = 4;
  private static final int STOCK = 300;

  private final Random random = new Random(SEED);
  private final Map<UUID, HttpApi.Answer> answered = new HashMap<>();

  @TempDir Path machines;

  @Test
  void noKeySignsTwice() throws Exception {
    SoftHsmToken token = SoftHsmToken.create();
    Path home = Files.createDirectory(machines.resolve("0"));
    copy(SoftHsm2.tokens(), home.resolve("tokens"));
    Map<String, String> settings = new HashMap<>(settings(token, home));
    for (int copies = 1; copies <= COPIES; copies++) {
      Path next = machines.resolve(Integer.toString(copies));
      loseUnderLoad(home, settings, next);
      home = next;
      settings.putAll(places(home));
    }
    try (KeywellProcess keywell = serve(settings, home)) {
      HttpApi http = keywell.awaitReady();
      for (Map.Entry<UUID, HttpApi.Answer> answer : answered.entrySet()) {
        assertThat(http.result(answer.getKey()).body())
            .as("the last machine knows what the first ones answered")
            .isEqualTo(answer.getValue().body());
      }
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
    }
    assertEachHasAKeyOfItsOwn();
    System.out.printf(
        "chaos: %d copies (seed %d): %d signed and answered, keys twice 0, unrecorded 0%n",
        COPIES, SEED, answered.size());
  }

  private static Map<String, String> settings(SoftHsmToken token, Path home) throws IOException {
    Map<String, String> more = new HashMap<>(Settings.pool(SPEC, 40));
    more.put("keywell.pool.specs.EC-P256.batch-size", "10");
    more.put("keywell.pool.specs.EC-P256.max-stored", Integer.toString(STOCK));
    more.put("keywell.pool.idle-after", "0s");
    more.put("keywell.pool.when-empty", "generate");
    Map<String, String> settings =
        new HashMap<>(Settings.of(token, new Database("embedded", "", ""), home, more));
    settings.putAll(places(home));
    return settings;
  }

  /** What a machine finds on its own disk. */
  private static Map<String, String> places(Path home) throws IOException {
    Path configuration = home.resolve("softhsm2.conf");
    Files.writeString(
        configuration,
        """
        directories.tokendir = %s
        objectstore.backend = file
        slots.removable = false
        log.level = ERROR
        """
            .formatted(home.resolve("tokens")));
    return Map.of(
        "keywell.home", home.toString(),
        "keywell.hsm.pin-file", home.resolve("pin").toString(),
        "softhsm2.conf", configuration.toString());
  }

  private void loseUnderLoad(Path home, Map<String, String> settings, Path next) throws Exception {
    try (KeywellProcess keywell = serve(settings, home)) {
      HttpApi http = keywell.awaitReady();
      List<ProcessHandle> machine = new ArrayList<>();
      machine.add(ProcessHandle.of(keywell.pid()).orElseThrow());
      try (Clients clients = Clients.start(http, SPEC, CLIENTS)) {
        clients.awaitAnswers(20 + random.nextInt(200));
        Thread.sleep(random.nextInt(50));
        // The postmaster first: then no other is added.
        machine.addFirst(PostgresProcesses.of(home).all().getFirst());
        signal("STOP", machine.getFirst());
        machine.addAll(machine.getFirst().descendants().toList());
        machine.forEach(process -> signal("STOP", process));
        copy(home, next);
        machine.forEach(process -> signal("KILL", process));
        clients.join();
        answered.putAll(clients.answered());
      }
    }
  }

  private static KeywellProcess serve(Map<String, String> settings, Path home) throws IOException {
    return KeywellProcess.startStandalone(settings, home.resolve("service.log"), "serve");
  }

  private void assertEachHasAKeyOfItsOwn() throws Exception {
    Set<String> keys = new HashSet<>();
    for (HttpApi.Answer answer : answered.values()) {
      assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
      byte[] key = SignedAnswer.of(answer).publicKey().getEncoded();
      assertThat(keys.add(Base64.getEncoder().encodeToString(key))).isTrue();
    }
    assertThat(keys).hasSizeGreaterThan(COPIES * 20 - 1);
  }

  private static void signal(String name, ProcessHandle process) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
      assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        if (Files.isDirectory(path) || Files.isRegularFile(path)) {
          Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }
}
