package org.keywell.xks.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.testkit.ManualTime;

final class CredentialsFileTest {

  private static final String SECRET = "a+secret+of+this+test+only+43+characters000";
  private static final String ONE = "KEYWELLTESTACCESSKEY23 " + SECRET;
  private static final String TWO = "KEYWELLTESTACCESSKEY24 " + SECRET;

  private final ManualTime time = new ManualTime();
  private final Path file;

  CredentialsFileTest(@TempDir Path directory) {
    file = directory.resolve("credentials");
  }

  private void write(String content, String mode) throws IOException {
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private CredentialsFile read(String content) throws IOException {
    write(content, "rw-------");
    return new CredentialsFile(file, time);
  }

  @Test
  void oneReplacesAnotherWhileBothAreValid() throws IOException {
    CredentialsFile credentials = read("# ours\n" + ONE + " # since spring\n\n");
    assertThat(credentials.current()).containsOnlyKeys("KEYWELLTESTACCESSKEY23");

    write(ONE + "\n" + TWO, "rw-------");
    assertThat(credentials.current()).as("not looked at yet").hasSize(1);
    time.advance(Duration.ofSeconds(2));
    assertThat(credentials.current()).hasSize(2);
    write(TWO + "\n", "rw-------");
    time.advance(Duration.ofSeconds(2));
    assertThat(credentials.current()).containsOnlyKeys("KEYWELLTESTACCESSKEY24");
  }

  @Test
  void anInvalidFileLeavesThoseBefore() throws IOException {
    CredentialsFile credentials = read(ONE);
    write("nonsense", "rw-------");
    time.advance(Duration.ofSeconds(2));

    assertThat(credentials.current()).containsOnlyKeys("KEYWELLTESTACCESSKEY23");
    Files.delete(file);
    time.advance(Duration.ofSeconds(2));
    assertThat(credentials.current()).hasSize(1);
  }

  /** An operator must hear that a rotation has not taken effect, requests or not. */
  @Test
  void itTellsForHowLongTheFileHasBeenUnusable() throws IOException {
    CredentialsFile credentials = read(ONE);
    time.advance(Duration.ofSeconds(2));
    assertThat(credentials.unusable()).isEmpty();

    write(ONE + "\n" + TWO, "rw-r--r--");
    time.advance(Duration.ofSeconds(2));
    assertThat(credentials.unusable()).contains(Duration.ZERO);
    time.advance(Duration.ofMinutes(1));
    assertThat(credentials.unusable()).contains(Duration.ofMinutes(1));

    write(ONE + "\n" + TWO, "rw-------");
    time.advance(Duration.ofSeconds(2));
    assertThat(credentials.unusable()).isEmpty();
    assertThat(credentials.current()).hasSize(2);
  }

  @Test
  void aFileThatOthersReadIsRefused() throws IOException {
    write(ONE, "rw-r-----");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CredentialsFile(file, time))
        .withMessageContaining("mode 0600")
        .withMessageNotContaining(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing",
        "KEYWELLTESTACCESSKEY23",
        "KEYWELLTESTACCESSKEY23 tooShort",
        "short " + SECRET,
        "KEYWELLTESTACCESSKEY01 " + SECRET,
        ONE + "\n" + ONE
      })
  void whatIsNoCredentialIsRefused(String content) throws IOException {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(content))
        .withMessageContaining(file.toString())
        .withMessageNotContaining(SECRET);
  }
}
