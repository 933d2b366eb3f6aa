package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.ForwardingHsm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;

final class OfferedKindsTest {

  private static PoolConfig config(PoolConfig.Mode mode, KeySpec... specs) {
    List<PoolLimits> limits =
        List.of(specs).stream().map(spec -> new PoolLimits(spec, 10, 5, 2, 2)).toList();
    return new PoolConfig(mode, limits, 1, Duration.ZERO, 5);
  }

  @Test
  void aDeviceThatMakesAndWrapsAllKindsLacksNothing() {
    try (FakeHsm hsm = new FakeHsm()) {
      assertThat(OfferedKinds.lacking(config(PoolConfig.Mode.POOLED, KeySpec.values()), hsm))
          .isEmpty();
      assertThat(hsm.countLiveKeys()).isZero();
    }
  }

  @Test
  void aKindThatTheModuleDoesNotMakeIsNamed() {
    try (Hsm hsm = new Limited(new FakeHsm(), false)) {
      assertThat(
              OfferedKinds.lacking(
                  config(PoolConfig.Mode.ON_THE_FLY, KeySpec.EC_P256, KeySpec.ML_DSA_65), hsm))
          .hasValue("the module makes no ML-DSA-65 keys");
      assertThat(OfferedKinds.lacking(config(PoolConfig.Mode.POOLED, KeySpec.EC_P256), hsm))
          .isEmpty();
    }
  }

  @Test
  void aKindThatTheModuleDoesNotWrapHasNoPool() {
    try (Hsm hsm = new Limited(new FakeHsm(), true)) {
      PoolConfig pooled = config(PoolConfig.Mode.POOLED, KeySpec.ML_DSA_44);
      PoolConfig onTheFly = config(PoolConfig.Mode.ON_THE_FLY, KeySpec.ML_DSA_44);

      assertThat(OfferedKinds.lacking(pooled, hsm))
          .hasValueSatisfying(
              lacking -> assertThat(lacking).contains("ML-DSA-44", "max-stored must be 0"));
      assertThat(OfferedKinds.lacking(onTheFly, hsm)).isEmpty();
      assertThat(hsm.countLiveKeys()).isZero();
    }
  }

  /** A device that does not make ML-DSA keys, or makes them without wrapping them. */
  private record Limited(Hsm device, boolean makesMlDsa) implements ForwardingHsm {

    @Override
    public boolean makes(KeySpec spec) {
      return makesMlDsa || spec.algorithm() != KeySpec.Algorithm.ML_DSA;
    }

    @Override
    public WrappedKey wrap(LiveKeyPair pair) {
      throw new HsmException(Reason.UNSUPPORTED, "wraps nothing");
    }

    @Override
    public LiveKeyPair generate(KeySpec spec) {
      return device.generate(spec);
    }

    @Override
    public LiveKeyPair generateExtractable(KeySpec spec) {
      return device.generateExtractable(spec);
    }

    @Override
    public KeyHandle unwrap(WrappedKey key) {
      return device.unwrap(key);
    }

    @Override
    public Destruction destroy(KeyHandle key) {
      return device.destroy(key);
    }
  }
}
