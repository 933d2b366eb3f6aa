package org.keywell.signing.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.log.LogNotes;

/** Where the test does not start the watch, the looks are its own. */
final class CallerRegisterTest {

  private static final String A = "{name: a, certificate: {subject: CN=a}, roles: [sign]}";
  private static final String B = "{name: b, certificate: {subject: CN=b}, roles: [sign]}";

  @TempDir Path directory;

  private Path file;
  private X509Certificate a;
  private X509Certificate b;

  @BeforeEach
  void makeFile() throws Exception {
    file = Files.writeString(directory.resolve("callers.yaml"), "callers: [" + A + "]");
    a = TestCertificates.of("CN=a");
    b = TestCertificates.of("CN=b");
  }

  @Test
  void aChangedFileCountsFromTheNextLookOn() throws Exception {
    try (CallerRegister register = new CallerRegister(file, "standard"::equals, LogNotes.none())) {
      assertThat(register.of(a)).isPresent();
      assertThat(register.of(b)).isEmpty();

      Files.writeString(file, "callers: [" + B + "]");
      assertThat(register.of(a)).as("before the look").isPresent();
      register.look();

      assertThat(register.of(a)).as("taken out").isEmpty();
      assertThat(register.of(b)).as("added").isPresent();
      assertThat(register.isFileRefused()).isFalse();
    }
  }

  /** As tools write files, with a new inode, and a time that may be the old one. */
  @Test
  void aFileThatIsReplacedCounts() throws Exception {
    try (CallerRegister register = new CallerRegister(file, "standard"::equals, LogNotes.none())) {
      Path other = Files.writeString(directory.resolve("new"), "callers: [" + A + "," + B + "]");
      Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
      Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
      register.look();

      assertThat(register.size()).isEqualTo(2);
    }
  }

  @Test
  void aBadFileChangesNothingAndIsTold() throws Exception {
    try (CallerRegister register = new CallerRegister(file, "standard"::equals, LogNotes.none())) {
      for (String bad : new String[] {"callers: [{name: a}]", "", "\u0000"}) {
        Files.writeString(file, bad);
        register.look();

        assertThat(register.of(a)).as(bad).isPresent();
        assertThat(register.isFileRefused()).as(bad).isTrue();
      }
      Files.delete(file);
      register.look();
      assertThat(register.of(a)).as("no file").isPresent();
      assertThat(register.isFileRefused()).isTrue();

      Files.writeString(file, "callers: [" + A + "]");
      register.look();
      assertThat(register.isFileRefused()).as("mended").isFalse();
    }
  }

  /** Files of a few hundred bytes that a parser makes gigabytes, or a recursion, of. */
  @ParameterizedTest
  @MethodSource("bombs")
  void aBombChangesNothing(String bomb) throws Exception {
    try (CallerRegister register = new CallerRegister(file, "standard"::equals, LogNotes.none())) {
      Files.writeString(file, bomb);
      register.look();

      assertThat(register.of(a)).as("the callers stay").isPresent();
      assertThat(register.isFileRefused()).isTrue();
    }
  }

  @Test
  void theWatchOutlivesABomb() throws Exception {
    try (CallerRegister register = new CallerRegister(file, "standard"::equals, LogNotes.none())) {
      register.start();
      Files.writeString(file, "callers: &a [*a]");
      await().until(register::isFileRefused);

      Files.writeString(file, "callers: [" + B + "]");
      await().until(() -> register.of(a).isEmpty());
      assertThat(register.of(b)).as("mended").isPresent();
      assertThat(register.isFileRefused()).isFalse();
    }
  }

  static List<String> bombs() {
    StringBuilder laughs = new StringBuilder("callers:\n  - &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 9; i++) {
      String before = "*a" + (i - 1);
      laughs.append("  - &a%d [%s%s]\n".formatted(i, before, ("," + before).repeat(8)));
    }
    return List.of(
        laughs.toString(),
        "callers: &a [*a]",
        "callers: &a {b: *a}",
        "callers: " + "[".repeat(100_000),
        "callers: [" + A.replace("}, roles", "}, daily-quota: 1e30, roles") + "]");
  }

  static List<Runnable> defects() {
    return List.of(
        () -> {
          throw new NoClassDefFoundError("x");
        },
        () -> {
          throw new StackOverflowError();
        },
        () -> {
          throw new IllegalStateException("x");
        });
  }

  @ParameterizedTest
  @MethodSource("defects")
  void whateverIsThrownTheNextLookTakesPlace(Runnable defect) throws Exception {
    try (CallerRegister register =
        new CallerRegister(file, profile -> after(defect), LogNotes.none())) {
      Files.writeString(
          file, "callers: [" + A.replace("}, roles", "}, profiles: [p], roles") + "]");
      register.look();
      assertThat(register.isFileRefused()).isTrue();

      Files.writeString(file, "callers: [" + B + "]");
      register.look();
      assertThat(register.of(b)).isPresent();
    }
  }

  @Test
  void aWatchThatHasEndedIsBroken() throws Exception {
    try (CallerRegister register =
        new CallerRegister(file, profile -> outOfMemory(), LogNotes.none())) {
      register.start();
      assertThat(register.isBroken()).isFalse();

      Files.writeString(
          file, "callers: [" + A.replace("}, roles", "}, profiles: [p], roles") + "]");
      await().dontCatchUncaughtExceptions().until(register::isBroken);
    }
  }

  private static boolean outOfMemory() {
    throw new OutOfMemoryError();
  }

  private static boolean after(Runnable defect) {
    defect.run();
    return true;
  }

  @Test
  void aBadFileStopsTheStart() throws Exception {
    Files.writeString(file, "callers: [{name: a}]");

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new CallerRegister(file, "standard"::equals, LogNotes.none()).close())
        .withMessageContaining(file.toString());
  }

  @Test
  void withoutAFileNobodyIsACaller() {
    try (CallerRegister register = new CallerRegister(null, "standard"::equals, LogNotes.none())) {
      register.start();
      register.look();

      assertThat(register.of(a)).isEmpty();
      assertThat(register.isFileRefused()).isFalse();
    }
  }
}
