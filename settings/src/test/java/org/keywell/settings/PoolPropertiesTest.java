package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;

final class PoolPropertiesTest {

  @Test
  void onlyTheDefaultKindHasAPoolByDefault() {
    PoolProperties pool = KeywellPropertiesTest.bind().pool();

    assertThat(pool.mode()).isEqualTo(PoolMode.POOLED);
    assertThat(pool.whenEmpty()).isEqualTo(EmptyPoolPolicy.GENERATE);
    assertThat(pool.limits())
        .containsExactly(new PoolLimits(KeySpec.RSA_2048, 10_000, 500, 250, 100));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC-P256", "ec-p256", "ECP256", "ecp256"})
  void theSpellingOfAKindDoesNotCount(String name) {
    assertThat(
            KeywellPropertiesTest.bind("keywell.pool.specs." + name + ".max-stored=7")
                .pool()
                .limits())
        .containsExactly(new PoolLimits(KeySpec.EC_P256, 7, 500, 250, 100));
  }

  @Test
  void theEnvironmentOverridesPartOfAFile() {
    PoolProperties pool =
        KeywellPropertiesTest.bindEnvironment(
                Map.of(
                    "KEYWELL_POOL_SPECS_RSA2048_MAXSTORED", "9", "KEYWELL_POOL_MODE", "on_the_fly"),
                "keywell.pool.specs.RSA-2048.max-stored=7",
                "keywell.pool.specs.RSA-2048.batch-size=3",
                "keywell.pool.specs.EC-P384.max-stored=1")
            .pool();

    assertThat(pool.mode().label()).isEqualTo("on-the-fly");
    assertThat(pool.limits())
        .containsExactlyInAnyOrder(
            new PoolLimits(KeySpec.RSA_2048, 9, 500, 250, 3),
            new PoolLimits(KeySpec.EC_P384, 1, 500, 250, 100));
  }

  @Test
  void anUnknownKindListsTheKnownOnes() {
    assertThat(KeywellPropertiesTest.refusal("keywell.pool.specs.RSA-1024.max-stored=7"))
        .startsWith("keywell.pool.specs has the unknown key spec 'RSA-1024'")
        .contains("RSA-2048", "EC-P384");
  }

  @ParameterizedTest
  @CsvSource({
    "max-stored, -1",
    "loaded-capacity, 0",
    "low-water, 0",
    "low-water, 501",
    "batch-size, 0"
  })
  void aBadLimitNamesItsKindAndItself(String limit, String value) {
    assertThat(KeywellPropertiesTest.refusal("keywell.pool.specs.EC-P256." + limit + "=" + value))
        .startsWith("keywell.pool.specs: pool EC-P256: " + limit + " is " + value);
  }
}
