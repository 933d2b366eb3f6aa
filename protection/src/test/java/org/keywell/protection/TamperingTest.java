package org.keywell.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.protection.Messages.MAX;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.protection.ProtectionException.Fault;

/** Nothing that is changed on the way opens to other content or causes another error. */
final class TamperingTest {

  private static final Party TAX = Party.rsa("tax");
  private static final Party KEYWELL = Party.rsa("keywell");
  private static final Content CONTENT = Messages.small();

  record Case(String name, byte[] message, Opener opener) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "integrity by RSA",
            Sealer.integrity(TAX.signer()).seal(CONTENT),
            Opener.integrity(MAX)),
        new Case(
            "integrity by ECDSA",
            Sealer.integrity(Party.ec("ec", "secp256r1").signer()).seal(CONTENT),
            Opener.integrity(MAX)),
        new Case(
            "privacy",
            Sealer.privacy(TAX.signer(), KEYWELL.certificate()).seal(CONTENT),
            Opener.privacy(MAX, KEYWELL.key(), KEYWELL.certificate())),
        new Case(
            "confidentiality",
            Sealer.confidentiality(KEYWELL.certificate(), 32).seal(CONTENT),
            confidentialityOpener()));
  }

  private static Opener confidentialityOpener() {
    return Opener.confidentiality(MAX, KEYWELL.key(), KEYWELL.certificate(), 8);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void flippedBits(Case sealed) {
    int opened = 0;
    for (int at = 0; at < sealed.message.length; at++) {
      byte[] changed = sealed.message.clone();
      changed[at] ^= (byte) (1 << at % 8);
      opened += Messages.opensToTheSame(sealed.opener, changed, CONTENT) ? 1 : 0;
    }
    // The certificate is in clear, and its own signature is not for this module to verify.
    boolean signedInClear = sealed.opener.quality() == Quality.INTEGRITY;
    assertThat(opened > 0).isEqualTo(signedInClear);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void truncatedAtEachLength(Case sealed) {
    for (int length = 0; length < sealed.message.length; length++) {
      byte[] changed = Arrays.copyOf(sealed.message, length);
      assertThat(Messages.opensToTheSame(sealed.opener, changed, CONTENT)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void somethingAfterTheEnd(Case sealed) {
    byte[] changed = Arrays.copyOf(sealed.message, sealed.message.length + 1);
    Messages.refused(sealed.opener, changed, Fault.MALFORMED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void slicesMovedCopiedAndOverwritten(Case sealed) {
    Random random = new Random(7);
    for (int n = 0; n < 400; n++) {
      byte[] changed = sealed.message.clone();
      int length = 1 + random.nextInt(40);
      int from = random.nextInt(changed.length - length);
      int to = random.nextInt(changed.length - length);
      if (random.nextBoolean()) {
        System.arraycopy(sealed.message, from, changed, to, length);
      } else {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, changed, to, length);
      }
      Messages.opensToTheSame(sealed.opener, changed, CONTENT);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void deepNesting(Case sealed) {
    byte[] nested = new byte[100_000];
    for (int at = 0; at < nested.length; at += 2) {
      nested[at] = 0x30;
      nested[at + 1] = (byte) 0x80;
    }
    Messages.refused(sealed.opener, nested, Fault.MALFORMED);
  }
}
