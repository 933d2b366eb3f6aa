package org.keywell.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalTokenTest {
  private static final URI HERE = URI.create("http://127.0.0.1:8420");

  @TempDir Path home;

  @Test
  void theFileThatIsNamedGoesBeforeTheUsualOne() throws Exception {
    Files.writeString(home.resolve("local.token"), "usual\n");
    Path named = Files.writeString(home.resolve("named"), "named\n");

    assertThat(LocalToken.forService(HERE, named, home.toString())).isEqualTo("named");
    assertThat(LocalToken.forService(HERE, null, home.toString())).isEqualTo("usual");
    assertThat(LocalToken.forService(HERE, Path.of(""), home.toString())).isEqualTo("usual");
    assertThat(LocalToken.forService(HERE, null, null)).isNull();
  }

  @Test
  void withoutAnyFileThereIsNoToken() throws Exception {
    assertThat(LocalToken.forService(HERE, null, home.toString())).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://localhost:1", "http://[::1]:1", "http://127.9.9.9", "https://127.0.0.1"})
  void itIsShownOnThisMachine(String address) throws Exception {
    Path named = Files.writeString(home.resolve("named"), "named");

    assertThat(LocalToken.forService(URI.create(address), named, null)).isEqualTo("named");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://192.0.2.1", "https://keywell.example", "http://localhost.example:8420"})
  void itIsShownToNobodyElse(String address) throws Exception {
    Path named = Files.writeString(home.resolve("named"), "named");
    Files.writeString(home.resolve("local.token"), "usual");

    assertThat(LocalToken.forService(URI.create(address), named, home.toString())).isNull();
  }

  @Test
  void aNamedFileHasToHoldOne() throws Exception {
    Path empty = Files.writeString(home.resolve("empty"), "\n");
    Path none = home.resolve("none");

    assertThatIOException()
        .isThrownBy(() -> LocalToken.forService(HERE, empty, null))
        .withMessageContaining("empty holds no token");
    assertThatIOException().isThrownBy(() -> LocalToken.forService(HERE, none, null));
  }
}
