package org.keywell.standalone;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.settings.StartRefusedException;

@Timeout(60)
final class HomeLockTest {

  @TempDir private Path home;

  @Test
  void theOwnerIsNamedWithItsAddress(@TempDir Path directory) throws Exception {
    String pid = Long.toString(ProcessHandle.current().pid());
    try (HomeLock lock = HomeLock.tryAcquire(directory).orElseThrow()) {
      assertThat(HomeLock.owner(directory)).isEqualTo("process " + pid);
      lock.announce("http://127.0.0.1:8420");
      assertThat(HomeLock.owner(directory))
          .isEqualTo("process " + pid + " (http://127.0.0.1:8420)");
    }
  }

  @Test
  void aDirectoryThatOthersMayWriteToIsRefused() throws Exception {
    for (String mode : List.of("rwxrwx---", "rwx----w-")) {
      Files.setPosixFilePermissions(home, PosixFilePermissions.fromString(mode));

      assertThatExceptionOfType(StartRefusedException.class)
          .isThrownBy(() -> new HomeDatabases().own(home))
          .withMessageContaining(home.toString())
          .withMessageContaining("keywell.home");
      assertThat(home).isEmptyDirectory();
    }
  }

  @Test
  void anotherProcessKeepsItUntilItEndsHoweverItEnds() throws Exception {
    Process holder = HomeLockHolder.start(home);
    try {
      assertThat(holder.inputReader().readLine()).isEqualTo("locked");

      assertThat(HomeLock.isTaken(home)).isTrue();
      assertThat(HomeLock.tryAcquire(home)).isEmpty();
      assertThat(HomeLock.owner(home)).isEqualTo("process " + holder.pid());
      assertThatExceptionOfType(StartRefusedException.class)
          .isThrownBy(() -> new HomeDatabases().own(home))
          .withMessageContaining("process " + holder.pid())
          .withMessageContaining(home.toString());
    } finally {
      holder.destroyForcibly();
      assertThat(holder.waitFor(20, SECONDS)).isTrue();
    }

    assertThat(HomeLock.isTaken(home)).isFalse();
  }

  @Test
  void isFreeAgainAfterClose() throws Exception {
    HomeLock lock = HomeLock.tryAcquire(home).orElseThrow();
    lock.close();
    Process holder = HomeLockHolder.start(home);

    assertThat(holder.inputReader().readLine()).isEqualTo("locked");
    holder.destroyForcibly();
  }
}
