package org.keywell.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrivateFilesTest {

  @TempDir private Path home;

  @Test
  void aNewDirectoryIsItsOwnersOnly() throws Exception {
    Path inner = PrivateFiles.directory(home.resolve("a/b"));

    assertThat(mode(inner)).isEqualTo("rwx------");
    assertThat(mode(home.resolve("a"))).isEqualTo("rwx------");
    assertThat(PrivateFiles.directory(inner)).isEqualTo(inner);
  }

  @Test
  void aSecretIsRandomPrivateAndKept() throws Exception {
    Path file = home.resolve("secret");
    String secret = PrivateFiles.secret(file);

    assertThat(secret).matches("[0-9a-f]{32}");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(PrivateFiles.secret(file)).isEqualTo(secret);
    assertThat(PrivateFiles.secret(home.resolve("other"))).isNotEqualTo(secret);
    try (Stream<Path> files = Files.list(home)) {
      assertThat(files).hasSize(2);
    }
  }

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
