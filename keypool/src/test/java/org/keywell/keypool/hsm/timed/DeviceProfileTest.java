package org.keywell.keypool.hsm.timed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.keypool.hsm.timed.DeviceProfile.OperationTime;

final class DeviceProfileTest {
  private static final String VALID =
      """
      name: ours
      source: measured last week
      lanes: 4
      generation: 1s..2s
      wrapping: 30ms
      unwrapping: 900us
      signing: 5ms .. 7ms
      """;

  @TempDir private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("ours.yaml"), text);
  }

  private static OperationTime millis(long from, long to) {
    return new OperationTime(Duration.ofMillis(from), Duration.ofMillis(to));
  }

  @Test
  void theLunaHasTheThesisTimes() {
    DeviceProfile luna = DeviceProfile.named("luna-sa-1700");

    assertThat(luna.lanes()).isEqualTo(1);
    assertThat(luna.unwrapLanes()).isEqualTo(1);
    assertThat(luna.generation()).isEqualTo(millis(588, 673));
    assertThat(luna.wrapping()).isEqualTo(millis(121, 141));
    assertThat(luna.unwrapping()).isEqualTo(millis(70, 70));
    assertThat(luna.signing()).isEqualTo(millis(20, 20));
  }

  @Test
  void theRemoteLunaDiffersInSigningAlone() {
    DeviceProfile luna = DeviceProfile.named("luna-sa-1700");
    DeviceProfile remote = DeviceProfile.named("luna-sa-1700-remote");

    assertThat(remote.signing()).isEqualTo(millis(38, 38));
    assertThat(remote)
        .usingRecursiveComparison()
        .ignoringFields("name", "source", "signing")
        .isEqualTo(luna);
  }

  @Test
  void everyBuiltInProfileHasItsOwnName() {
    assertThat(DeviceProfile.builtInNames()).isNotEmpty();
    for (String name : DeviceProfile.builtInNames()) {
      assertThat(DeviceProfile.named(name).name()).isEqualTo(name);
    }
  }

  @Test
  void aFileIsReadByItsPath() throws IOException {
    DeviceProfile profile = DeviceProfile.named(file(VALID).toString());

    assertThat(profile.name()).isEqualTo("ours");
    assertThat(profile.source()).isEqualTo("measured last week");
    assertThat(profile.lanes()).isEqualTo(4);
    assertThat(profile.unwrapLanes()).isZero();
    assertThat(profile.generation()).isEqualTo(millis(1_000, 2_000));
    assertThat(profile.unwrapping().min()).isEqualTo(Duration.ofNanos(900_000));
    assertThat(profile.signing()).isEqualTo(millis(5, 7));
  }

  @Test
  void oneLaneIsTheDefault() throws IOException {
    Path file = file(VALID.replace("lanes: 4\n", ""));

    assertThat(DeviceProfile.named(file.toString()).lanes()).isEqualTo(1);
  }

  @Test
  void anUnknownNameIsAnsweredWithTheKnownOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceProfile.named("luna"))
        .withMessageContaining("'luna'")
        .withMessageContaining("luna-sa-1700, luna-sa-1700-remote");
  }

  @Test
  void aMissingFileIsNamed() {
    String path = directory.resolve("absent.yml").toString();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceProfile.named(path))
        .withMessage(path + ": no such file");
  }

  @Test
  void aFileThatIsTooLongIsNotRead() throws IOException {
    Path file = file("# " + "x".repeat(70_000));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceProfile.named(file.toString()))
        .withMessage(file + ": more than 65536 bytes");
  }

  @Test
  void aFileThatIsNotTextIsRefused() throws IOException {
    Path file = Files.write(directory.resolve("ours.yaml"), new byte[] {(byte) 0xC3, 0x28});

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceProfile.named(file.toString()))
        .withMessage(file + ": cannot be read as UTF-8 text");
  }

  /** Each row replaces one line of a valid profile, and names what the refusal says. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lanes: 4              | lanes: 0               | lanes is 0, expected 1-64",
        "lanes: 4              | lanes: 65              | lanes is 65, expected 1-64",
        "lanes: 4              | lanes: many            | lanes is not a number: many",
        "lanes: 4              | lanes:                 | lanes has no value",
        "lanes: 4              | unwrap-lanes: -1       | unwrap-lanes is -1, expected 0-64",
        "lanes: 4              | speed: 4               | unknown key speed",
        "lanes: 4              | wrapping: 4ms          | duplicate key wrapping",
        "wrapping: 30ms        | lane: 4                | unknown key lane",
        "wrapping: 30ms        | unwrap-lanes: 0        | missing key wrapping",
        "wrapping: 30ms        | wrapping: 30           | wrapping: '30' is not a time with a unit",
        "wrapping: 30ms        | wrapping: 30min        | wrapping: '30min' is not a time",
        "wrapping: 30ms        | wrapping: -1ms         | wrapping: '-1ms' is not a time",
        "wrapping: 30ms        | wrapping: 1.5ms        | wrapping: '1.5ms' is not a time",
        "wrapping: 30ms        | wrapping: 2ms..1ms     | begins after its end",
        "wrapping: 30ms        | wrapping: 1ms..        | is not a time",
        "wrapping: 30ms        | wrapping: 1ms..2ms..3ms| is not a time",
        "wrapping: 30ms        | wrapping: 601s         | is longer than 10 minutes",
        "wrapping: 30ms        | wrapping: 999999999s   | is longer than 10 minutes",
        "wrapping: 30ms        | wrapping: 9999999999s  | is not a time",
        "wrapping: 30ms        | 'wrapping: {from: 1ms}'| wrapping: '{from=1ms}' is not a time",
        "name: ours            | name: Our HSM          | name has 1 to 64 of",
        "name: ours            | name: 1700             | name is not text: 1700",
        "name: ours            | name: luna-sa-1700     | is that of a built-in profile",
        "source: measured last week | source: ''        | source is empty",
        "name: ours            | 'name: ['              | 'line 3: expected'",
      })
  void aWrongFileIsRefusedInOneLineThatNamesIt(String line, String instead, String refusal)
      throws IOException {
    Path file = file(VALID.replace(line, instead));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceProfile.named(file.toString()))
        .withMessageStartingWith(file + ": ")
        .withMessageContaining(refusal)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  @ParameterizedTest
  @CsvSource({"''", "just text", "'- a\n- b'", "'!!java.util.Date 2001-01-01'", "'a: &x [*x]'"})
  void whatIsNoMapOfKeysIsRefused(String text) throws IOException {
    Path file = file(text);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceProfile.named(file.toString()))
        .withMessageStartingWith(file + ": ")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }
}
