package org.keywell.signing.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.testkit.PostgresForTests;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Tag("postgresql")
@ExtendWith(OutputCaptureExtension.class)
final class UnpooledKeysTest {

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private final FakeHsm east = new FakeHsm();
  private final FakeHsm west = new FakeHsm();

  @AfterEach
  void close() {
    dataSource.close();
  }

  @Test
  void eachKindIsNamedWithItsKeysAndItsSetting(CapturedOutput output) {
    store(east, KeySpec.RSA_2048, 2);
    store(west, KeySpec.RSA_2048, 1);
    store(west, KeySpec.EC_P384, 4);
    store(east, KeySpec.EC_P256, 5);
    warn(KeySpec.EC_P256);

    assertThat(output)
        .contains(
            "not used: 3 RSA-2048, 4 EC-P384; keywell.pool.specs.RSA-2048.max-stored,"
                + " keywell.pool.specs.EC-P384.max-stored gives a kind its pool back");
  }

  @Test
  void saysNothingWhereEveryStoredKindHasAPool(CapturedOutput output) {
    store(east, KeySpec.EC_P256, 5);
    store(new FakeHsm(), KeySpec.EC_P384, 1); // under the wrapping key of another instance
    warn(KeySpec.EC_P256, KeySpec.RSA_2048);

    assertThat(output).doesNotContain("have no pool");
  }

  private void warn(KeySpec... pooled) {
    PoolConfig config =
        new PoolConfig(
            PoolConfig.Mode.POOLED,
            Stream.of(pooled).map(spec -> new PoolLimits(spec, 9, 1, 1, 1)).toList(),
            1,
            Duration.ZERO,
            1);
    new UnpooledKeys(config, List.of(of(east), of(west))).warn();
  }

  private void store(FakeHsm hsm, KeySpec spec, int keys) {
    for (int i = 0; i < keys; i++) {
      LiveKeyPair pair = hsm.generateExtractable(spec);
      of(hsm).add(hsm.wrap(pair));
      hsm.destroy(pair.privateKey());
    }
  }

  private JdbcWrappedKeyStore of(FakeHsm hsm) {
    return new JdbcWrappedKeyStore(dataSource, "a", hsm.wrappingKeyId());
  }
}
