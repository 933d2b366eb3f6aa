package org.keywell.loadgen.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.service.ServiceProgram;

@Tag("process")
final class XksKeyTest {
  @TempDir private Path folder = Path.of("");

  /** Keeps a file for each key, and fails as the service's program does. */
  private ServiceProgram program() throws IOException {
    Path keys = Files.createDirectories(folder.resolve("keys"));
    String script =
        """
        cd "$0" || exit
        case $2 in
          create-key) : >"$3" ;;
          destroy) [ ! -e locked ] || { echo "the HSM is locked"; exit 1; }
            rm "$3" 2>/dev/null || { echo "there is no key $3"; exit 2; } ;;
        esac
        """;
    return new ServiceProgram(
        List.of("/bin/sh", "-c", script, keys.toString()), Map.of(), folder, Redirect.DISCARD);
  }

  @Test
  void theKeyOfAKilledRunIsDestroyedByTheNext() throws Exception {
    XksKey _ = XksKey.create(program(), folder, "killed");
    try (XksKey _ = XksKey.create(program(), folder, "next")) {
      assertThat(folder.resolve("keys/killed")).doesNotExist();
      assertThat(folder.resolve("keys/next")).exists();
    }
    assertThat(folder.resolve("keys")).isEmptyDirectory();
    assertThat(folder.resolve("key-name")).doesNotExist();
  }

  @Test
  void aNameWithoutAKeyIsForgottenButAFailureIsNot() throws Exception {
    Files.writeString(folder.resolve("key-name"), "never made");
    XksKey key = XksKey.create(program(), folder, "name");
    Path locked = Files.createFile(folder.resolve("keys/locked"));
    assertThatIOException().isThrownBy(key::close).withMessageContaining("the HSM is locked");
    assertThat(folder.resolve("key-name")).hasContent("name");
    Files.delete(locked);
    key.close();
    assertThat(folder.resolve("key-name")).doesNotExist();
  }
}
