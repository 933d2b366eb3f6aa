package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderCopyTest {
  private static final FileTime THEN = FileTime.from(Instant.parse("2026-03-01T12:00:00Z"));
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  @TempDir private Path folder = Path.of("");

  @Test
  void aCopyHasTheTimesAndPermissionsOfTheOriginal() throws IOException {
    Path original = Files.createDirectory(folder.resolve("original"));
    Path inner = Files.createDirectory(original.resolve("bin"));
    Path file = Files.writeString(inner.resolve("program"), "it");
    Files.setPosixFilePermissions(inner, OWNER_ONLY);
    for (Path each : new Path[] {file, inner, original}) {
      Files.setLastModifiedTime(each, THEN);
    }

    Path copy = folder.resolve("copy");
    FolderCopy.copy(original, copy);

    assertThat(copy.resolve("bin/program")).hasContent("it");
    assertThat(Files.getPosixFilePermissions(copy.resolve("bin"))).isEqualTo(OWNER_ONLY);
    assertThat(copy).satisfies(each -> assertThat(Files.getLastModifiedTime(each)).isEqualTo(THEN));
    assertThat(Files.getLastModifiedTime(copy.resolve("bin"))).isEqualTo(THEN);
    assertThat(Files.getLastModifiedTime(copy.resolve("bin/program"))).isEqualTo(THEN);
  }

  @Test
  void whatIsRemovedIsGone() throws IOException {
    Path copy = Files.createDirectories(folder.resolve("copy/base"));
    Files.writeString(copy.resolve("1"), "row");

    FolderCopy.remove(folder.resolve("copy"));

    assertThat(folder.resolve("copy")).doesNotExist();
    FolderCopy.remove(folder.resolve("copy"));
  }
}
