package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GenerationTest {

  @ParameterizedTest
  @CsvSource({
    "keys, keys, 1",
    "keys~2, keys, 2",
    "keys~10, keys, 10",
    "keys~1, keys~1, 1",
    "keys~02, keys~02, 1",
    "keys~0, keys~0, 1",
    "keys~, keys~, 1",
    "~2, ~2, 1",
    "keys~2~3, keys~2, 3",
    "keys~99999999999, keys~99999999999, 1",
  })
  void isReadFromTheLabel(String keyLabel, String label, int number) {
    assertThat(Generation.of(keyLabel)).isEqualTo(new Generation(label, number));
    assertThat(Generation.of(keyLabel).keyLabel()).isEqualTo(keyLabel);
  }

  @Test
  void theNextHasTheNextNumber() {
    assertThat(WrappingKeyGenerations.labelAfter("a:b:0f")).isEqualTo("a:b~2");
    assertThat(WrappingKeyGenerations.labelAfter("a:b~2:0f")).isEqualTo("a:b~3");
  }

  @Test
  void onlyOneOfTheSameLabelIsLater() {
    assertThat(WrappingKeyGenerations.isLater("a~10:0f", "a~9:0f")).isTrue();
    assertThat(WrappingKeyGenerations.isLater("a:0f", "a~2:0f")).isFalse();
    assertThat(WrappingKeyGenerations.isLater("a:0f", "a:10")).isFalse();
    assertThat(WrappingKeyGenerations.isLater("b~2:0f", "a:0f")).isFalse();
  }
}
