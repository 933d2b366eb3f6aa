package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.keypool.PoolRig.EC;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.PoolConfig.Mode;
import org.keywell.keypool.hsm.KeySpec;

final class PoolConfigTest {

  private static final PoolLimits LIMITS = new PoolLimits(EC, 9, 3, 2, 1);

  private static void refuses(String name, int threads, Duration idleAfter, int maxOrphans) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new PoolConfig(Mode.POOLED, List.of(LIMITS), threads, idleAfter, maxOrphans))
        .withMessageStartingWith(name + " is ");
  }

  @Test
  void namesTheBoundThatIsOutOfItsRange() {
    refuses("generator-threads", 0, Duration.ZERO, 1);
    refuses("idle-after", 1, Duration.ofNanos(-1), 1);
    refuses("max-orphans", 1, Duration.ZERO, 0);
  }

  @Test
  void takesOnePoolForAKindOfKey() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolConfig(Mode.POOLED, List.of(LIMITS, LIMITS), 1, Duration.ZERO, 1))
        .withMessage("there are two pools of EC-P256 keys");
  }

  @Test
  void fillingStoresOneKindWithEveryCoreAndIsAlwaysIdle() {
    PoolConfig config = PoolConfig.filling(KeySpec.RSA_2048, 7, 5);

    assertThat(config.mode()).isEqualTo(Mode.FILL);
    assertThat(config.specs()).containsExactly(KeySpec.RSA_2048);
    assertThat(config.limits().getFirst().maxStored()).isEqualTo(7);
    assertThat(config.generatorThreads()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(config.idleAfter()).isZero();
    assertThat(config.maxOrphans()).isEqualTo(5);
  }
}
