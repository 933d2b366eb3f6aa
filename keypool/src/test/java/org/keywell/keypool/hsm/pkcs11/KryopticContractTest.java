package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;

/** A module of PKCS#11 3.2 with ML-DSA, in which these keys live from generation to destruction. */
@EnabledIfEnvironmentVariable(
    named = KryopticToken.MODULE,
    matches = ".+",
    disabledReason = KryopticToken.MODULE + " names no Kryoptic; see docs/POST-QUANTUM.md")
final class KryopticContractTest extends Pkcs11Contract {
  @Override
  protected Hsm open() {
    return KryopticToken.open("keywell-wrap");
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return KryopticToken.open(OTHER_WRAPPING_KEY);
  }

  @Override
  protected boolean wraps(KeySpec spec) {
    return spec.algorithm() != KeySpec.Algorithm.ML_DSA;
  }

  @Override
  protected ReturnValue answerToDestroyingTheWrappingKey() {
    return ReturnValue.CKR_ACTION_PROHIBITED;
  }

  /** If this fails, Kryoptic has learnt it, and {@link #wraps} is to change. */
  @ParameterizedTest
  @EnumSource(value = KeySpec.class, mode = EnumSource.Mode.MATCH_ALL, names = "ML_DSA_.*")
  void mlDsaKeysAreNotWrapped(KeySpec spec) {
    LiveKeyPair pair = hsm().generateExtractable(spec);
    try {
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> hsm().wrap(pair))
          .withMessageContaining("CKR_FUNCTION_NOT_SUPPORTED")
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNSUPPORTED));
    } finally {
      assertThat(hsm().destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    }
  }

  @ParameterizedTest
  @EnumSource(value = KeySpec.class, mode = EnumSource.Mode.MATCH_ALL, names = "ML_DSA_.*")
  void soTheyAreNotStoredButCanBeMadeForARequest(KeySpec spec) {
    assertThat(config(spec, 10).lacking(hsm()))
        .hasValueSatisfying(lacking ->
            assertThat(lacking).contains(spec.label(), "not wrap", "max-stored must be 0"));
    assertThat(config(spec, 0).lacking(hsm())).isEmpty();
  }

  private static PoolConfig config(KeySpec spec, int maxStored) {
    return new PoolConfig(
        PoolConfig.Mode.POOLED,
        List.of(new PoolLimits(spec, maxStored, 5, 2, 2)),
        1,
        Duration.ZERO,
        5);
  }
}
