package org.keywell.service.launch;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.ClaimLimit;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.VisitedDatabaseConfiguration;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.HsmConfiguration;
import org.keywell.signing.pool.PooledDevices;
import org.keywell.signing.pool.WrappedKeyStores;
import org.keywell.signing.start.StartConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@code fill N [--key-spec SPEC]}: tops the store up to N keys, using every core, in each HSM that
 * generates keys; with several wrapping keys, to N of each. Works with or without a running
 * service, which takes some keys out meanwhile.
 */
final class FillCommand {

  private static final Duration REDRAW = Duration.ofMillis(500);

  /** Longer than any generation: what takes longer has failed, and the log says why. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private FillCommand() {}

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  @Import({StartConfiguration.class, VisitedDatabaseConfiguration.class, HsmConfiguration.class})
  static class Parts {

    /** A separate name, so that if it is killed, an instance settles what it left. */
    private static String name(KeywellProperties properties) {
      return EndedFills.nameFor(properties.instance());
    }

    @Bean(destroyMethod = "close")
    InstanceLock instanceLock(DataSource dataSource, KeywellProperties properties)
        throws SQLException {
      return InstanceLock.acquire(dataSource, name(properties));
    }

    @Bean
    FillTarget target(
        Devices devices, DataSource dataSource, InstanceLock held, KeywellProperties properties)
        throws SQLException {
      if (devices.generating().isEmpty()) {
        throw new StartRefusedException("no HSM that makes keys can be used; the log says why");
      }
      EndedFills.release(dataSource, name(properties));
      List<Rotation> rotations = new WrappingKeyRotations(dataSource).all();
      WrappedKeyStores stores = new WrappedKeyStores(dataSource, name(properties));
      // Devices with one wrapping key fill one store.
      Map<String, WrappedKeyStore> shared = new HashMap<>();
      return new FillTarget(
          PooledDevices.of(
              properties.pool().config(),
              devices.generating(),
              device -> {
                var _ = device.follow(rotations);
                return shared.computeIfAbsent(
                    device.hsm().wrappingKeyId(),
                    _ -> stores.of(device.hsm(), _ -> ClaimLimit.NONE));
              }));
    }

    /**
     * Closed before the HSM, also on a signal: a JVM that ends while a thread is inside the PKCS#11
     * module crashes, because the module's libraries clean up under that thread.
     */
    @Bean(destroyMethod = "close")
    KeyPools pools(FillTarget target, FillArguments fill, KeywellProperties properties) {
      return KeyPools.open(
          PoolConfig.filling(fill.keySpec(), fill.count(), properties.pool().maxOrphans()),
          target.devices(),
          PoolListener.NONE,
          System::nanoTime);
    }
  }

  static void run(FillArguments fill) {
    try (ConfigurableApplicationContext context =
        StoppableStart.run(
            new SpringApplicationBuilder(Parts.class)
                .initializers(started -> started.getBeanFactory().registerSingleton("fill", fill))
                .web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      fill(fill, context);
    }
  }

  /** Returns early if the context is closed, as by a signal. */
  private static void fill(FillArguments fill, ConfigurableApplicationContext context) {
    FillTarget target = context.getBean(FillTarget.class);
    KeyPools pools = context.getBean(KeyPools.class);
    FillProgress progress = new FillProgress(target.ofAll(fill), System.out, System::nanoTime);
    try {
      fill(fill, context, target, pools, progress);
    } catch (StoreException e) {
      if (!context.isClosed()) {
        throw e;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (context.isClosed()) {
      progress.stopped(pools.generated(fill.keySpec()));
    }
  }

  private static void fill(
      FillArguments fill,
      ConfigurableApplicationContext context,
      FillTarget target,
      KeyPools pools,
      FillProgress progress)
      throws InterruptedException {
    KeySpec spec = fill.keySpec();
    int goal = target.ofAll(fill).count();
    long before = target.towards(fill);
    pools.start();
    long made = 0;
    long madeAtNanos = System.nanoTime();
    // A concurrent service takes keys out, so keys made here also count.
    while (before + made < goal && target.towards(fill) < goal) {
      progress.show(before + made);
      Thread.sleep(REDRAW);
      if (context.isClosed()) {
        return;
      }
      if (pools.generated(spec) > made) {
        made = pools.generated(spec);
        madeAtNanos = System.nanoTime();
      } else if (System.nanoTime() - madeAtNanos > PATIENCE.toNanos()) {
        throw new IllegalStateException("no key was made for " + PATIENCE.toSeconds() + " s");
      }
    }
    // Running generations have finished, so both figures are final only now.
    pools.close();
    progress.finish(target.stored(fill), pools.generated(spec));
  }
}
