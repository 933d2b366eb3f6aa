package org.keywell.acceptance.running;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.testkit.PostgresForTests.Database;

/** Fills a pool before a service starts, as fast as the machine allows. */
public final class KeyStock {

  /** Enough for a thousand RSA keys on a slow machine that is busy. */
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private KeyStock() {}

  /** Stores exactly {@code count} keys more. */
  public static void add(SoftHsmToken token, Database database, KeySpec spec, int count)
      throws InterruptedException {
    try (Hsm hsm = token.open();
        HikariDataSource dataSource = database.dataSource()) {
      JdbcWrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "stock", hsm.wrappingKeyId());
      int target = Math.toIntExact(store.count(spec)) + count;
      // Not by counting the store: a service that runs may have claimed a key before it is counted.
      CountDownLatch stored = new CountDownLatch(count);
      PoolListener listener =
          new PoolListener() {
            @Override
            public void stored(KeySpec told) {
              stored.countDown();
            }
          };
      try (KeyPools pools =
          KeyPools.open(
              filling(spec, target),
              List.of(PooledHsm.sole(hsm, store)),
              listener,
              System::nanoTime)) {
        pools.start();
        if (!stored.await(LIMIT.toMinutes(), TimeUnit.MINUTES)) {
          throw new AssertionError(
              "%d of %d %s keys are not stored after %s"
                  .formatted(stored.getCount(), count, spec.label(), LIMIT));
        }
      }
    }
  }

  /** Counts the store once: it must not replace what a service that runs claims meanwhile. */
  private static PoolConfig filling(KeySpec spec, int target) {
    return new PoolConfig(
        PoolConfig.Mode.FILL,
        List.of(new PoolLimits(spec, target, 1, 1, 1)),
        Runtime.getRuntime().availableProcessors(),
        Duration.ZERO,
        1,
        Duration.ofHours(1));
  }
}
