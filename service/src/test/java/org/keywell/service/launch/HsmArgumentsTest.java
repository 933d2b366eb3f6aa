package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.settings.StartRefusedException;

final class HsmArgumentsTest {

  @Test
  void eachCommandHasItsOwn() {
    assertThat(parse("transport a.request"))
        .isEqualTo(new HsmArguments.Transport(Path.of("a.request"), Optional.empty()));
    assertThat(parse("enrol --label shared --fingerprint 12 a.request b.request --fingerprint=34"))
        .isEqualTo(
            new HsmArguments.Enrol(
                "shared",
                List.of(Path.of("a.request"), Path.of("b.request")),
                List.of("12", "34"),
                Optional.empty()));
    assertThat(parse("accept a.answer --fingerprint 12"))
        .isEqualTo(new HsmArguments.Accept(Path.of("a.answer"), "12", Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "transport a.request --device east",
        "enrol --device=east --label shared --fingerprint 12 a.request",
        "accept --fingerprint 12 --device east a.answer"
      })
  void eachCommandIsAboutTheDeviceThatIsNamed(String line) {
    assertThat(parse(line).device()).contains("east");
  }

  @ParameterizedTest
  @CsvSource({
    "enroll, 'transport, enrol, accept'",
    "transport, one file",
    "transport a b, one file",
    "transport a --label x, no option",
    "enrol a --fingerprint 12, --label",
    "enrol a --fingerprint 12 --label x --label y, --label",
    "enrol --label x, needs requests",
    "enrol --label x a, --fingerprint for each",
    "enrol --label x a b --fingerprint 12, --fingerprint for each",
    "enrol --label x a --fingerprint, --fingerprint needs a value",
    "enrol --force a, no option --force",
    "transport a --device x --device y, one --device",
    "transport a --device, --device needs a value",
    "accept a, its --fingerprint",
    "accept a b --fingerprint 12, one answer",
    "accept a --fingerprint 12 --label x, one answer"
  })
  void whatIsMissingOrTooMuchIsTold(String line, String naming) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> parse(line))
        .withMessageContaining(naming);
  }

  @Test
  void withoutACommandTheUseIsTold() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> HsmArguments.parse(List.of()))
        .withMessageContaining("transport, enrol, accept");
  }

  private static HsmArguments parse(String line) {
    return HsmArguments.parse(Arrays.asList(line.split(" ")));
  }
}
