package org.keywell.kmip.ttlv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds of any items, and of any bytes. */
final class TtlvPropertiesTest {

  private static final int TREES = 2_000;

  private final TtlvReader reader = new TtlvReader(TtlvLimits.STANDARD);

  @Test
  void whatIsWrittenIsReadAsEqual() {
    for (int seed = 0; seed < TREES; seed++) {
      Item tree = new RandomItems(seed).tree();
      byte[] bytes = TtlvWriter.write(tree);

      assertThat(TtlvWriter.size(tree)).as("seed %d", seed).isEqualTo(bytes.length);
      assertThat(bytes.length % 8).as("seed %d", seed).isZero();
      Item read = reader.read(bytes);
      assertThat(read).as("seed %d", seed).isEqualTo(tree);
      assertThat(read.hashCode()).as("seed %d", seed).isEqualTo(tree.hashCode());
      assertThat(TtlvWriter.write(read)).as("seed %d", seed).isEqualTo(bytes);
    }
  }

  @Test
  void aTruncatedMessageIsRefused() {
    for (int seed = 0; seed < 100; seed++) {
      byte[] bytes = TtlvWriter.write(new RandomItems(seed).tree());
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThatExceptionOfType(TtlvException.class)
            .as("seed %d, %d bytes", seed, length)
            .isThrownBy(() -> reader.read(cut));
      }
    }
  }

  /** Each bit of each byte: read as something else, or refused. */
  @Test
  void aFlippedBitIsReadOrRefused() {
    for (int seed = 0; seed < 100; seed++) {
      Item tree = new RandomItems(seed).tree();
      byte[] bytes = TtlvWriter.write(tree);
      for (int bit = 0; bit < bytes.length * 8; bit++) {
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        Item read = readOrRefused(bytes);
        assertThat(read).as("seed %d, bit %d", seed, bit).isNotEqualTo(tree);
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
      }
    }
  }

  @Test
  void randomBytesAreReadOrRefused() {
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      readOrRefused(bytes);
    }
  }

  /** Returns null if the bytes are refused; any other exception fails the test. */
  private @Nullable Item readOrRefused(byte[] bytes) {
    try {
      return reader.read(bytes);
    } catch (TtlvException e) {
      return null;
    }
  }
}
