package org.keywell.service.launch;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.StoreException;
import org.keywell.service.database.InstanceLock;
import org.keywell.service.database.VisitedDatabaseConfiguration;
import org.keywell.service.hsm.Devices;
import org.keywell.service.hsm.HsmConfiguration;
import org.keywell.service.pool.PooledDevices;
import org.keywell.service.pool.WrappedKeyStores;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.settings.StartRefusedException;
import org.keywell.service.start.StartConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@code fill N [--key-spec SPEC]}: generates with every core what is missing to N stored keys, in
 * each HSM that makes keys; to N of each wrapping key, if they have several. Works beside a running
 * service, which takes some of them out meanwhile, and without one.
 */
final class FillCommand {

  private static final Duration REDRAW = Duration.ofMillis(500);

  /** Beyond any key's generation: what takes longer has failed, and its log says why. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private FillCommand() {}

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  @Import({StartConfiguration.class, VisitedDatabaseConfiguration.class, HsmConfiguration.class})
  static class Parts {

    /** A name of its own, so that an instance settles what it leaves should it be killed. */
    private static String name(KeywellProperties properties) {
      return "%s/fill-%d".formatted(properties.instance(), ProcessHandle.current().pid());
    }

    @Bean(destroyMethod = "close")
    InstanceLock instanceLock(DataSource dataSource, KeywellProperties properties)
        throws SQLException {
      return InstanceLock.acquire(dataSource, name(properties));
    }

    @Bean
    FillTarget target(
        Devices devices, DataSource dataSource, InstanceLock held, KeywellProperties properties) {
      if (devices.generating().isEmpty()) {
        throw new StartRefusedException("no HSM that makes keys can be used; the log says why");
      }
      return new FillTarget(
          PooledDevices.of(
              devices.generating(), new WrappedKeyStores(dataSource, name(properties))::of));
    }

    /**
     * Closed before the HSM, by a signal too: a JVM that ends while a thread is inside the PKCS#11
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

  static void run(List<String> arguments) {
    FillArguments fill = FillArguments.parse(arguments);
    try (ConfigurableApplicationContext context =
        StoppableStart.run(
            new SpringApplicationBuilder(Parts.class)
                .initializers(started -> started.getBeanFactory().registerSingleton("fill", fill))
                .web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      fill(fill, context);
    }
  }

  /** Returns early if the context is closed, as a signal does. */
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
    // A service beside this process takes keys out meanwhile, so what was made counts as well.
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
    // Keys in the making are finished, so only now both figures are those of the end.
    pools.close();
    progress.finish(target.stored(fill), pools.generated(spec));
  }
}
