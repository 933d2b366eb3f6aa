package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.settings.StartRefusedException;

final class CaArgumentsTest {

  private static CaArguments parse(String line) {
    return CaArguments.parse("ca-request", List.of(line.split(" ")));
  }

  @Test
  void aFileAndPerhapsADevice() {
    assertThat(parse("a.csr")).isEqualTo(new CaArguments(null, Path.of("a.csr")));
    assertThat(parse("--device east a.csr")).isEqualTo(new CaArguments("east", Path.of("a.csr")));
    assertThat(parse("a.csr --device=east")).isEqualTo(new CaArguments("east", Path.of("a.csr")));
  }

  @ParameterizedTest
  @CsvSource({
    "--device east, ca-request needs one file",
    "a b, ca-request needs one file",
    "a --device, --device needs a value",
    "a --force, ca-request knows no option --force"
  })
  void whatIsMissingOrTooMuchIsTold(String line, String naming) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> parse(line))
        .withMessage(naming);
  }
}
