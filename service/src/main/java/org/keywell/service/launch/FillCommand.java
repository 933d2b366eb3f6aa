package org.keywell.service.launch;

import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.keywell.keypool.generate.GeneratorThreads;
import org.keywell.keypool.generate.KeyGenerator;
import org.keywell.keypool.generate.KeySupply;
import org.keywell.keypool.generate.SigningActivity;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.pool.OrphanKeys;
import org.keywell.keypool.pool.PoolLimits;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.service.KeywellProperties;
import org.keywell.service.database.VisitedDatabaseConfiguration;
import org.keywell.service.keypool.HsmConfiguration;
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
  @Import({VisitedDatabaseConfiguration.class, HsmConfiguration.class})
  static class Parts {

    @Bean
    WrappedKeyStore store(DataSource dataSource, Hsm hsm, KeywellProperties properties) {
      return new JdbcWrappedKeyStore(dataSource, properties.instance(), hsm.wrappingKeyId());
    }

    @Bean
    OrphanKeys orphans(Hsm hsm, KeywellProperties properties) {
      return new OrphanKeys(hsm, properties.pool().maxOrphans());
    }
  }

  static void run(List<String> arguments) {
    FillArguments fill = FillArguments.parse(arguments);
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Parts.class)
            .web(WebApplicationType.NONE)
            .run("--logging.level.root=WARN")) {
      fill(
          fill,
          context.getBean(Hsm.class),
          context.getBean(WrappedKeyStore.class),
          context.getBean(OrphanKeys.class));
    }
  }

  private static void fill(FillArguments fill, Hsm hsm, WrappedKeyStore store, OrphanKeys orphans) {
    KeySpec spec = fill.keySpec();
    PoolLimits limits = new PoolLimits(spec, fill.count(), 1, 1, 1);
    KeySupply supply = new KeySupply(store, List.of(limits), RECOUNT, System::nanoTime);
    SigningActivity alwaysIdle = new SigningActivity(Duration.ZERO, System::nanoTime);
    KeyGenerator generator =
        new KeyGenerator(hsm, store, supply, alwaysIdle, orphans, stored -> {});
    int threads = Runtime.getRuntime().availableProcessors();
    long before = store.count(spec);
    FillProgress progress = new FillProgress(fill, System.out, System::nanoTime);
    try (GeneratorThreads generators = new GeneratorThreads(generator, threads)) {
      generators.start();
      long made = 0;
      long madeAtNanos = System.nanoTime();
      // A service beside this process takes keys out meanwhile, so what was made counts as well.
      while (before + made < fill.count() && store.count(spec) < fill.count()) {
        progress.show(before + made);
        Thread.sleep(REDRAW);
        if (supply.generated(spec) > made) {
          made = supply.generated(spec);
          madeAtNanos = System.nanoTime();
        } else if (System.nanoTime() - madeAtNanos > PATIENCE.toNanos()) {
          throw new IllegalStateException("no key was made for " + PATIENCE.toSeconds() + " s");
        }
      }
      progress.finish(before + made);
      if (store.count(spec) < fill.count()) {
        System.out.printf(
            "%d are stored now: the running service has taken the others%n", store.count(spec));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
