package org.keywell.signing.pool;

import java.util.List;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.keypool.store.PoolMarks;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.KeyReports;
import org.keywell.signing.database.TokenUse;
import org.keywell.signing.database.VanishedInstances;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyUses;
import org.keywell.signing.hsm.Devices;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;

/** Both tiers of the pool, and their depths. */
@Configuration(proxyBeanMethods = false)
public class PoolConfiguration {

  @Bean
  WrappedKeyStores wrappedKeyStores(DataSource dataSource, KeywellProperties properties) {
    return new WrappedKeyStores(dataSource, properties.instance());
  }

  /** For records: settles by a key's id, regardless of its wrapping key. */
  @Bean
  JdbcWrappedKeyStore wrappedKeyStore(WrappedKeyStores stores, Devices devices) {
    return stores.of(devices.first().hsm().wrappingKeyId());
  }

  // After the CAs: a device with an unusable CA is left out by then. The lifecycle starts and stops
  // it, in its own order.
  @DependsOn("issuingCas")
  @Bean(destroyMethod = "")
  KeyPools keyPools(
      KeywellProperties properties,
      Devices devices,
      WrappedKeyStores stores,
      TokenMarks marks,
      PoolListener listener,
      LongSupplier nanoClock) {
    PoolConfig config = properties.pool().config();
    List<PooledHsm> pooled =
        PooledDevices.of(
            config, devices.all(), device -> stores.of(device.hsm(), marks.of(device)));
    return KeyPools.open(config, pooled, listener, nanoClock);
  }

  @Bean(destroyMethod = "")
  TokenMarks tokenMarks(DataSource dataSource, KeywellProperties properties) {
    VanishedInstances others = new VanishedInstances(dataSource, properties.instance());
    return new TokenMarks(
        new PoolMarks(dataSource, properties.instance()), properties, others::runs);
  }

  // The lifecycle starts and ends the thread, in its own order.
  @Bean(destroyMethod = "")
  WrappingKeyWatch wrappingKeyWatch(
      Devices devices, DataSource dataSource, KeywellProperties properties) {
    return new WrappingKeyWatch(
        devices,
        new WrappingKeyRotations(dataSource),
        new WrappingKeyUses(dataSource),
        new PoolMarks(dataSource, properties.instance()),
        properties.instance());
  }

  @Bean
  UnpooledKeys unpooledKeys(KeyPools pools, WrappedKeyStores stores) {
    return new UnpooledKeys(
        pools.config(),
        pools.devices().stream()
            .flatMap(device -> device.wrappingKeyIds().stream())
            .distinct()
            .map(stores::of)
            .toList());
  }

  // The lifecycle starts and ends the thread, in its own order.
  @Bean(destroyMethod = "")
  PoolDepths poolDepths(KeyPools pools, LongSupplier nanoClock) {
    return new PoolDepths(pools, nanoClock);
  }

  // As above.
  @Bean(destroyMethod = "")
  LedgerWatch ledgerWatch(
      KeyPools pools, DataSource dataSource, KeywellProperties properties, LongSupplier nanoClock) {
    return new LedgerWatch(
        pools,
        new KeyLedger(dataSource),
        new KeyReports(dataSource, properties.instance()),
        properties.tokenKeys(),
        nanoClock);
  }

  // As above.
  @Bean(destroyMethod = "")
  IdlenessWatch idlenessWatch(KeyPools pools, DataSource dataSource, KeywellProperties properties) {
    return new IdlenessWatch(
        () ->
            pools.devices().stream()
                .map(device -> SharedToken.of(device, properties.pool().idleAfter()))
                .toList(),
        new TokenUse(dataSource, properties.instance()));
  }
}
