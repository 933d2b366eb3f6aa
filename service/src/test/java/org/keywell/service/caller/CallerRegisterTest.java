package org.keywell.service.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.service.settings.StartRefusedException;

/** The looks are the test's own: no thread runs. */
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
    try (CallerRegister register = new CallerRegister(file, "standard"::equals)) {
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
    try (CallerRegister register = new CallerRegister(file, "standard"::equals)) {
      Path other = Files.writeString(directory.resolve("new"), "callers: [" + A + "," + B + "]");
      Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
      Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
      register.look();

      assertThat(register.size()).isEqualTo(2);
    }
  }

  @Test
  void aBadFileChangesNothingAndIsTold() throws Exception {
    try (CallerRegister register = new CallerRegister(file, "standard"::equals)) {
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

  @Test
  void aBadFileStopsTheStart() throws Exception {
    Files.writeString(file, "callers: [{name: a}]");

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new CallerRegister(file, "standard"::equals).close())
        .withMessageContaining(file.toString());
  }

  @Test
  void withoutAFileNobodyIsACaller() {
    try (CallerRegister register = new CallerRegister(null, "standard"::equals)) {
      register.start();
      register.look();

      assertThat(register.of(a)).isEmpty();
      assertThat(register.isFileRefused()).isFalse();
    }
  }
}
