package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.StartRefusedException;

final class FillArgumentsTest {

  @Test
  void aNumberMeansKeysOfTheDefaultKind() {
    assertThat(FillArguments.parse(List.of("1000")))
        .isEqualTo(new FillArguments(1000, KeySpec.RSA_2048));
  }

  @Test
  void theKindIsNamedEitherWay() {
    FillArguments expected = new FillArguments(10_000_000, KeySpec.EC_P256);

    assertThat(FillArguments.parse(List.of("10000000", "--key-spec", "EC-P256")))
        .isEqualTo(expected);
    assertThat(FillArguments.parse(List.of("10000000", "--key-spec=EC-P256"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "10000001", "99999999999", "x", "1.5", ""})
  void aBadNumberIsNamed(String number) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> FillArguments.parse(List.of(number)))
        .withMessageStartingWith("fill: ")
        .withMessageContaining(number);
  }

  @ParameterizedTest
  @CsvSource({
    "5 --key-spec, --key-spec SPEC",
    "5 --keyspec RSA-2048, --key-spec SPEC",
    "5 6, --key-spec SPEC",
    "5 --key-spec RSA-2048 6, --key-spec SPEC",
    "5 --key-spec rsa, unknown key spec 'rsa'",
    "5 --key-spec=, unknown key spec ''"
  })
  void whatIsNotKnownIsRefused(String line, String naming) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> FillArguments.parse(Arrays.asList(line.split(" "))))
        .withMessageContaining(naming);
  }

  @Test
  void withoutANumberTheUseIsTold() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> FillArguments.parse(List.of()))
        .withMessageContaining("fill 1000");
  }
}
