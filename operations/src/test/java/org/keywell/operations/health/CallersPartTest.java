package org.keywell.operations.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.log.LogNotes;

final class CallersPartTest {

  private static final String CALLERS =
      "callers: [{name: a, certificate: {subject: CN=a}%s, roles: [sign]}]";

  @TempDir Path directory;

  @Test
  void aWatchThatHasEndedIsToldByName() throws Exception {
    Path file = directory.resolve("callers.yaml");
    Files.writeString(file, CALLERS.formatted(""));
    try (CallerRegister register =
        new CallerRegister(file, profile -> outOfMemory(), LogNotes.none())) {
      CallersPart part =
          new CallersPart(register, new Moments(InstantSource.system(), System::nanoTime));
      register.start();
      assertThat(part.state().isReady()).isTrue();

      Files.writeString(file, CALLERS.formatted(", profiles: [p]"));
      await().dontCatchUncaughtExceptions().until(register::isBroken);

      assertThat(part.name()).isEqualTo("callers");
      assertThat(part.state().fault().orElseThrow().reason()).contains("keywell-callers has ended");
    }
  }

  private static boolean outOfMemory() {
    throw new OutOfMemoryError();
  }
}
