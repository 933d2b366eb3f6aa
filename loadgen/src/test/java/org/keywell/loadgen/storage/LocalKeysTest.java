package org.keywell.loadgen.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalKeysTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void aDataKeyComesBackFromItsOwnManagerOnly() throws Exception {
    LocalKeys keys = LocalKeys.create(folder.resolve("one"));
    byte[] key = LocalKeys.random(DirectoryKeys.KEY_BYTES);
    byte[] wrapped = keys.wrap(key);
    assertThat(wrapped).hasSize(12 + 64 + 16).isNotEqualTo(keys.wrap(key));
    assertThat(keys.unwrap(wrapped)).isEqualTo(key);

    LocalKeys other = LocalKeys.create(folder.resolve("other"));
    assertThatIOException().isThrownBy(() -> other.unwrap(wrapped));
    wrapped[20] ^= 1;
    assertThatIOException().isThrownBy(() -> keys.unwrap(wrapped));
  }
}
