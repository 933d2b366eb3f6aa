package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogPropertiesTest {

  @ParameterizedTest
  @ValueSource(strings = {"sign.example.org/log", "localhost:8420", "a/b~c_d-e"})
  void anOriginIsANameWithoutAScheme(String origin) {
    assertThat(new LogProperties(origin, "keywell-log").isKept()).isTrue();
  }

  /** C2SP tlog-checkpoint and signed-note: neither spaces, nor plus, nor line breaks. */
  @ParameterizedTest
  @ValueSource(strings = {"https://sign.example.org/log", "a b", "a+b", "a\nb", "é"})
  void anythingElseIsRefusedByName(String origin) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogProperties(origin, "keywell-log"))
        .withMessageContaining("keywell.log.origin");
  }

  @Test
  void withoutOneNoLogIsKept() {
    assertThat(new LogProperties(null, "keywell-log").isKept()).isFalse();
    assertThat(new LogProperties(" ", "keywell-log").isKept()).isFalse();
  }

  @Test
  void theKeysLabelIsOneThatATokenTakes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogProperties(null, "a label"))
        .withMessageContaining("keywell.log.key-label");
  }
}
