package org.keywell.signing.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.DigestAlgorithm;

/** The core does not rely on an entry point's decoder. */
final class SigningOrderTest {

  private static final byte[] SHA_256 = new byte[32];

  private static SigningOrder order(SigningForm form, byte[]... digests) {
    return new SigningOrder(
        null,
        form,
        DigestAlgorithm.SHA_256,
        List.of(digests),
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  @Test
  void aDigestOfAnotherLengthIsNoOrder() {
    SigningForm bare = new SigningForm.Bare();

    assertThat(order(bare, SHA_256, SHA_256).digests()).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> order(bare, SHA_256, new byte[31]))
        .withMessageContaining("32 bytes");
  }

  @Test
  void inTwoCallsTheFirstBringsNoDigests() {
    SigningForm twoCalls = new SigningForm.InTwoCalls(1, Duration.ofSeconds(30));

    assertThat(order(twoCalls).digests()).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> order(twoCalls, SHA_256));
  }
}
