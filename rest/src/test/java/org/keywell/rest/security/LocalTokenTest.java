package org.keywell.rest.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.settings.StartRefusedException;

final class LocalTokenTest {

  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  @TempDir Path directory;

  @Test
  void theTokenIsTakenAsBearerAndAsPasswordOfAnyUser() {
    LocalToken token = new LocalToken(TOKEN);

    assertThat(token.isIn("Bearer " + TOKEN)).isTrue();
    assertThat(token.isIn("bearer  " + TOKEN)).isTrue();
    assertThat(token.isIn(basic("me:" + TOKEN))).isTrue();
    assertThat(token.isIn(basic(":" + TOKEN))).isTrue();
  }

  @Test
  void nothingElseIs() {
    LocalToken token = new LocalToken(TOKEN);

    assertThat(token.isIn(null)).isFalse();
    assertThat(token.isIn("")).isFalse();
    assertThat(token.isIn(TOKEN)).isFalse();
    assertThat(token.isIn("Bearer")).isFalse();
    assertThat(token.isIn("Bearer ")).isFalse();
    assertThat(token.isIn("Bearer " + TOKEN.substring(1))).isFalse();
    assertThat(token.isIn("Bearer " + TOKEN + "0")).isFalse();
    assertThat(token.isIn("Bearer " + TOKEN.toUpperCase(Locale.ROOT))).isFalse();
    assertThat(token.isIn(basic(TOKEN + ":"))).isFalse();
    assertThat(token.isIn(basic("me:" + TOKEN + ":"))).isFalse();
    assertThat(token.isIn("Basic ***")).isFalse();
    assertThat(token.isIn("Digest " + TOKEN)).isFalse();
  }

  @Test
  void aMissingFileIsMadeForItsOwnerAlone() throws Exception {
    Path file = directory.resolve("local.token");
    LocalToken made = LocalToken.in(file);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    String text = Files.readString(file).strip();
    assertThat(text).matches("[0-9a-f]{64}");
    assertThat(made.isIn("Bearer " + text)).isTrue();
    assertThat(LocalToken.in(file).isIn("Bearer " + text)).as("kept").isTrue();
    try (var files = Files.list(directory)) {
      assertThat(files).as("nothing is left beside it").containsExactly(file);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-"})
  void aFileThatIsNotItsOwnersAloneIsRefused(String mode) throws Exception {
    Path file = Files.writeString(directory.resolve("local.token"), TOKEN);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

    assertRefused(file, "0600");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "short",
        "0123456789abcdef 0123456789abcdef",
        "ååååååååååååååååååååååååååååååååå"
      })
  void whatIsNoTokenIsRefused(String content) throws Exception {
    Path file = Files.writeString(directory.resolve("local.token"), content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

    assertRefused(file, "no token");
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    assertRefused(directory.resolve("none/local.token"), "none does not exist");
  }

  private static void assertRefused(Path file, String fault) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> LocalToken.in(file))
        .withMessageContaining("keywell.security.local-token-file")
        .withMessageContaining(fault);
  }

  private static String basic(String credentials) {
    return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
  }
}
