package org.keywell.loadgen.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where file systems may be mounted and the kernel encrypts; skipped elsewhere. */
@Tag("process")
final class VolumeTest {
  private static final long BYTES = 64L << 20;
  private static final Tools TOOLS =
      new Tools(
          Map.of(
              "mkfs.ext4", Path.of("/sbin/mkfs.ext4"),
              "mount", Path.of("/bin/mount"),
              "umount", Path.of("/bin/umount")));
  private static final byte[] KEY = LocalKeys.random(DirectoryKeys.KEY_BYTES);

  @TempDir private Path folder = Path.of("");

  private Volume volume(String name) throws Exception {
    try {
      return Volume.create(TOOLS, folder, name, BYTES);
    } catch (IllegalArgumentException e) {
      return abort(String.valueOf(e.getMessage()));
    }
  }

  @Test
  void aDirectoryIsReadableWithItsKeyOnly() throws Exception {
    try (Volume volume = volume("a volume")) {
      volume.encrypt(KEY);
      Path file = volume.data().resolve("PG_VERSION");
      Files.writeString(file, "a text");
      volume.lock();
      assertThat(file).doesNotExist();
      try (Stream<Path> names = Files.list(volume.data())) {
        assertThat(names).hasSize(1);
      }
      assertThatIOException()
          .isThrownBy(() -> volume.unlock(LocalKeys.random(DirectoryKeys.KEY_BYTES)))
          .withMessageContaining("is not readable with its key");
      volume.lock();
      volume.unlock(KEY);
      assertThat(file).hasContent("a text");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void anOpenFileKeepsItsKeyInUse() throws Exception {
    try (Volume volume = volume("busy")) {
      volume.encrypt(KEY);
      Path file = volume.data().resolve("PG_VERSION");
      Files.writeString(file, "a text");
      byte[] identifier = DirectoryKeys.add(volume.directory(), KEY);
      try (InputStream in = Files.newInputStream(file)) {
        assertThat(DirectoryKeys.remove(volume.directory(), identifier)).isFalse();
        assertThat(in.read()).isEqualTo('a');
      }
      assertThat(DirectoryKeys.remove(volume.directory(), identifier)).isTrue();
    }
  }

  @Test
  void whatAKilledRunLeftIsReplaced() throws Exception {
    Volume left = volume("left");
    left.encrypt(KEY);
    Files.writeString(left.data().resolve("PG_VERSION"), "a text");
    try (Volume volume = volume("left")) {
      assertThat(volume.data()).doesNotExist();
    }
    assertThat(folder).isEmptyDirectory();
  }
}
