package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.keypool.hsm.KeySpec;

final class PoolLimitsTest {

  @Test
  void takesTheSmallestBounds() {
    assertThat(new PoolLimits(KeySpec.RSA_2048, 0, 1, 1, 1).maxStored()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 10,  5, 1, max-stored",
    " 1,  0,  1, 1, loaded-capacity",
    " 1, 10,  0, 1, low-water",
    " 1, 10, 11, 1, low-water",
    " 1, 10,  5, 0, batch-size",
  })
  void namesTheBoundThatIsOutOfItsRange(
      int maxStored, int loadedCapacity, int lowWater, int batchSize, String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new PoolLimits(KeySpec.RSA_2048, maxStored, loadedCapacity, lowWater, batchSize))
        .withMessageContaining("RSA-2048")
        .withMessageContaining(name + " is ");
  }
}
