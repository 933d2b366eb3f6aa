package org.keywell.loadgen.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.service.BoundedRun;

@Tag("process")
final class OpenSslTest {
  @TempDir Path directory;

  private String program(String script) throws Exception {
    Path file = Files.writeString(directory.resolve("openssl"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file.toString();
  }

  @Test
  void oneThatIsMissingIsToldSo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenSsl.find(directory.resolve("none").toString()))
        .withMessageContaining("is missing; install OpenSSL 3");
  }

  @Test
  void oneThatIsTooOldIsToldSo() throws Exception {
    String old = program("[ $1 = version ] && echo OpenSSL 1.1.1w || echo ' -reuse -new -www'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenSsl.find(old))
        .withMessage(
            "this needs OpenSSL 3, whose s_time measures TLS 1.3; %s is OpenSSL 1.1.1w", old);
  }

  @Test
  void theSystemsIsFound() throws Exception {
    assertThat(OpenSsl.find("openssl").version()).startsWith("OpenSSL 3");
  }

  @Test
  void aFailureGivesItsReason() throws Exception {
    OpenSsl failing = new OpenSsl(program("echo unable to load key; exit 1"), "");
    assertThatIOException()
        .isThrownBy(() -> failing.run(directory, List.of("req")))
        .withMessage("openssl req failed: unable to load key");
  }

  /** Its own child would keep the output open. */
  @Test
  void whatTakesTooLongIsKilled() throws Exception {
    String slow = program("echo $$ >pid; exec sleep 60");
    assertThatIOException()
        .isThrownBy(
            () -> BoundedRun.of(List.of(slow, "s_time"), directory, Duration.ofMillis(1_500)))
        .withMessageContaining("s_time did not end within 1 s and was killed");
    long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    ProcessHandle.of(pid).ifPresent(left -> left.onExit().join());
  }
}
