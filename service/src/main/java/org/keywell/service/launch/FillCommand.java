package org.keywell.service.launch;

import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.keywell.keypool.GeneratorThreads;
import org.keywell.keypool.KeyDestroyer;
import org.keywell.keypool.KeyGenerator;
import org.keywell.keypool.KeySupply;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.SigningActivity;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.service.database.VisitedDatabaseConfiguration;
import org.keywell.service.hsm.HsmConfiguration;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.start.StartConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@code fill N [--key-spec SPEC]}: generates with every core what is missing to N stored keys.
 * Works beside a running service, which takes some of them out meanwhile, and without one.
 */
final class FillCommand {

  private static final Duration RECOUNT = Duration.ofSeconds(1);
  private static final Duration REDRAW = Duration.ofMillis(500);

  /** Beyond any key's generation: what takes longer has failed, and its log says why. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private FillCommand() {}

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  @Import({StartConfiguration.class, VisitedDatabaseConfiguration.class, HsmConfiguration.class})
  static class Parts {

    @Bean
    WrappedKeyStore store(DataSource dataSource, Hsm hsm, KeywellProperties properties) {
      return new JdbcWrappedKeyStore(dataSource, properties.instance(), hsm.wrappingKeyId());
    }

    @Bean
    KeyDestroyer orphans(Hsm hsm, KeywellProperties properties) {
      return new KeyDestroyer(hsm, properties.pool().maxOrphans());
    }

    @Bean
    KeySupply supply(WrappedKeyStore store, FillArguments fill) {
      PoolLimits limits = new PoolLimits(fill.keySpec(), fill.count(), 1, 1, 1);
      return new KeySupply(store, List.of(limits), RECOUNT, System::nanoTime);
    }

    /**
     * Closed before the HSM, by a signal too: a JVM that ends while a thread is inside the PKCS#11
     * module crashes, because the module's libraries clean up under that thread.
     */
    @Bean
    GeneratorThreads generators(
        Hsm hsm, WrappedKeyStore store, KeySupply supply, KeyDestroyer orphans) {
      SigningActivity alwaysIdle = new SigningActivity(Duration.ZERO, System::nanoTime);
      return new GeneratorThreads(
          new KeyGenerator(hsm, store, supply, alwaysIdle, orphans, stored -> {}),
          Runtime.getRuntime().availableProcessors());
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
    WrappedKeyStore store = context.getBean(WrappedKeyStore.class);
    KeySupply supply = context.getBean(KeySupply.class);
    FillProgress progress = new FillProgress(fill, System.out, System::nanoTime);
    try {
      fill(fill, context, store, supply, progress);
    } catch (StoreException e) {
      if (!context.isClosed()) {
        throw e;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (context.isClosed()) {
      progress.stopped(supply.generated(fill.keySpec()));
    }
  }

  private static void fill(
      FillArguments fill,
      ConfigurableApplicationContext context,
      WrappedKeyStore store,
      KeySupply supply,
      FillProgress progress)
      throws InterruptedException {
    KeySpec spec = fill.keySpec();
    long before = store.count(spec);
    GeneratorThreads generators = context.getBean(GeneratorThreads.class);
    generators.start();
    long made = 0;
    long madeAtNanos = System.nanoTime();
    // A service beside this process takes keys out meanwhile, so what was made counts as well.
    while (before + made < fill.count() && store.count(spec) < fill.count()) {
      progress.show(before + made);
      Thread.sleep(REDRAW);
      if (context.isClosed()) {
        return;
      }
      if (supply.generated(spec) > made) {
        made = supply.generated(spec);
        madeAtNanos = System.nanoTime();
      } else if (System.nanoTime() - madeAtNanos > PATIENCE.toNanos()) {
        throw new IllegalStateException("no key was made for " + PATIENCE.toSeconds() + " s");
      }
    }
    // Keys in the making are finished, so only now both figures are those of the end.
    generators.close();
    progress.finish(store.count(spec), supply.generated(spec));
  }
}
