package org.keywell.keypool.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.hsm.KeySpec;

final class PublicKeyFormTest {

  /** How many octets of an encoding are the modulus, the two coordinates or the ML-DSA key. */
  private static int ownOctets(KeySpec spec) {
    return switch (spec.algorithm()) {
      case RSA, ML_DSA -> spec.bits() / 8;
      case EC -> 2 * spec.bits() / 8;
    };
  }

  private static int ownAt(KeySpec spec, byte[] encoded) {
    int exponent = spec.algorithm() == KeySpec.Algorithm.RSA ? 5 : 0;
    return encoded.length - exponent - ownOctets(spec);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotTheKeyItselfIsTheSameForAllOfAKind(KeySpec spec) {
    byte[] encoded = PublicKeys.of(spec);
    assertThat(PublicKeyForm.fits(spec, encoded)).isTrue();
    int from = ownAt(spec, encoded);
    for (int at = 0; at < encoded.length; at++) {
      boolean own = at >= from && at < from + ownOctets(spec);
      for (int bits = 1; bits < 256; bits++) {
        byte[] changed = encoded.clone();
        changed[at] ^= (byte) bits;
        assertThat(PublicKeyForm.fits(spec, changed)).as("octet %d ^ %d", at, bits).isEqualTo(own);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void otherLengthsAndOtherKindsDoNotFit(KeySpec spec) {
    byte[] encoded = PublicKeys.of(spec);
    for (int length = 0; length < encoded.length + 5; length++) {
      assertThat(PublicKeyForm.fits(spec, Arrays.copyOf(encoded, length)))
          .isEqualTo(length == encoded.length);
    }
    for (KeySpec other : KeySpec.values()) {
      assertThat(PublicKeyForm.fits(other, encoded)).isEqualTo(other == spec);
    }
  }

  @Test
  void nothingIsNoKey() {
    assertThat(PublicKeyForm.fits(KeySpec.RSA_2048, new byte[0])).isFalse();
  }
}
