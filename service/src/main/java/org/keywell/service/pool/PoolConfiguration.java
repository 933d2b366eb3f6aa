package org.keywell.service.pool;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.keywell.keypool.DeviceWatch;
import org.keywell.keypool.GenerateListener;
import org.keywell.keypool.GeneratorThreads;
import org.keywell.keypool.KeyDestroyer;
import org.keywell.keypool.KeyGenerator;
import org.keywell.keypool.KeyLoader;
import org.keywell.keypool.KeySupply;
import org.keywell.keypool.LoadListener;
import org.keywell.keypool.LoaderThread;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.Shelves;
import org.keywell.keypool.SigningActivity;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.settings.PoolMode;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Both tiers of the pool, and the threads between them. */
@Configuration(proxyBeanMethods = false)
public class PoolConfiguration {

  private static final Duration RECOUNT = Duration.ofSeconds(1);

  @Bean
  JdbcWrappedKeyStore wrappedKeyStore(
      DataSource dataSource, Hsm hsm, KeywellProperties properties) {
    return new JdbcWrappedKeyStore(dataSource, properties.instance(), hsm.wrappingKeyId());
  }

  @Bean
  SigningActivity signingActivity(KeywellProperties properties, LongSupplier nanoClock) {
    return new SigningActivity(properties.pool().idleAfter(), nanoClock);
  }

  @Bean
  KeyDestroyer orphanKeys(Hsm hsm, KeywellProperties properties, PoolListener listener) {
    return new KeyDestroyer(hsm, properties.pool().maxOrphans(), listener);
  }

  @Bean
  Shelves keyPool(
      Hsm hsm, KeyDestroyer orphans, KeywellProperties properties, PoolListener listener) {
    return new Shelves(hsm, orphans, properties.pool().limits(), listener);
  }

  @Bean
  KeyLoader keyLoader(
      Hsm hsm, WrappedKeyStore store, Shelves pool, KeyDestroyer orphans, LoadListener listener) {
    return new KeyLoader(hsm, store, pool, orphans, listener);
  }

  @Bean
  KeySupply keySupply(WrappedKeyStore store, KeywellProperties properties, LongSupplier nanoClock) {
    return new KeySupply(store, properties.pool().limits(), RECOUNT, nanoClock);
  }

  // The lifecycle ends the threads, in its own order.
  @Bean(destroyMethod = "")
  LoaderThread loaderThread(KeyLoader loader, Shelves pool, KeywellProperties properties) {
    List<PoolLimits> limits = properties.pool().limits();
    return new LoaderThread(loader, pool, limits.stream().map(PoolLimits::spec).toList());
  }

  @Bean(destroyMethod = "")
  GeneratorThreads generatorThreads(
      Hsm hsm,
      WrappedKeyStore store,
      KeySupply supply,
      SigningActivity activity,
      KeyDestroyer orphans,
      Shelves pool,
      KeywellProperties properties,
      GenerateListener listener) {
    return new GeneratorThreads(
        new KeyGenerator(hsm, store, supply, activity, orphans, pool::storeRefilled, listener),
        properties.pool().generatorThreads());
  }

  // The lifecycle starts and ends the threads, in its own order.
  @Bean(destroyMethod = "")
  PoolDepths poolDepths(
      WrappedKeyStore store,
      Shelves pool,
      KeyLoader loader,
      KeywellProperties properties,
      LongSupplier nanoClock) {
    return new PoolDepths(
        store,
        pool,
        loader,
        properties.pool().limits(),
        properties.pool().mode() == PoolMode.POOLED,
        nanoClock);
  }

  @Bean(destroyMethod = "")
  DeviceWatch deviceWatch(Hsm hsm, KeyDestroyer orphans) {
    return new DeviceWatch(hsm, orphans);
  }
}
