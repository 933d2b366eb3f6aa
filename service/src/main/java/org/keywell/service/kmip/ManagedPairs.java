package org.keywell.service.kmip;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoreException;
import org.keywell.kmip.key.ReadyPairs;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.pool.PoolDepths;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of key pairs for KMIP's clients: made while nobody signs, and claimed ahead.
 *
 * @param hsm the token that keeps managed keys
 */
record ManagedPairs(Hsm hsm, KeyPools pools, PoolDepths depths, ReadyPairs ready) {

  private static final Logger log = LoggerFactory.getLogger(ManagedPairs.class);

  /** Clients wait about as long for an answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  static ManagedPairs of(
      KeywellProperties properties,
      KeyPools signing,
      Hsm hsm,
      Predicate<WrappedKey> proof,
      JdbcWrappedKeyStore store,
      LongSupplier nanoClock) {
    List<PoolLimits> limits =
        properties.kmip().maxStored().entrySet().stream()
            .map(kind -> new PoolLimits(kind.getKey(), kind.getValue(), 1, 1, 1))
            .toList();
    PoolConfig config =
        new PoolConfig(
            PoolConfig.Mode.FILL,
            limits,
            1,
            properties.pool().idleAfter(),
            properties.pool().maxOrphans());
    KeyPools pools =
        signing.beside(
            config,
            new PooledHsm("managed", DeviceRole.GENERATE, 1, hsm, store),
            PoolListener.NONE);
    return new ManagedPairs(
        hsm,
        pools,
        new PoolDepths(pools, nanoClock),
        new ReadyPairs(store, properties.kmip().maxStored().keySet(), hsm, proof, PATIENCE));
  }

  void start() {
    depths.start();
    pools.start();
  }

  /**
   * Ends generator and count, and puts claimed pairs back.
   *
   * @param limit how long to wait for a device that may hang
   */
  void stop(Duration limit) {
    boolean _ = pools.stopGenerating(limit);
    boolean _ = depths.end(limit);
    try {
      ready.close();
    } catch (StoreException e) {
      log.error("claimed pairs are not put back; the next start forfeits them: {}", e.getMessage());
    }
  }
}
