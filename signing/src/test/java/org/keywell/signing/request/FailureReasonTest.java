package org.keywell.signing.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FailureReasonTest {

  /** Records and metrics hold these: to be extended, never to be changed. */
  private static final String[] RECORDED = {
    "pool-empty",
    "orphan-limit",
    "hsm-unavailable",
    "ca-unavailable",
    "record-unavailable",
    "key-refused",
    "key-reused",
    "act-revoked",
    "interrupted",
    "internal"
  };

  @Test
  void theListIsStable() {
    assertThat(Stream.of(FailureReason.values()).map(FailureReason::label)).contains(RECORDED);
  }

  @ParameterizedTest
  @EnumSource
  void theLabelNamesTheReason(FailureReason reason) {
    assertThat(FailureReason.ofLabel(reason.label())).isEqualTo(reason);
  }

  @Test
  void anUnknownLabelIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> FailureReason.ofLabel("no-such-reason"));
  }
}
