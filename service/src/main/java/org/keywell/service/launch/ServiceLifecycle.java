package org.keywell.service.launch;

import org.keywell.keypool.KeyPools;
import org.keywell.keypool.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The order in which the service starts and stops. It starts before the web server listens, and
 * stops after the web server has finished the requests that it had taken.
 */
@Component
public final class ServiceLifecycle implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(ServiceLifecycle.class);

  private final Leftovers leftovers;
  private final Signing signing;
  private final KeyPools pools;
  private final Watches watches;
  private volatile boolean running;

  ServiceLifecycle(Leftovers leftovers, Signing signing, KeyPools pools, Watches watches) {
    this.leftovers = leftovers;
    this.signing = signing;
    this.pools = pools;
    this.watches = watches;
  }

  @Override
  public void start() {
    leftovers.closeBeforeStart();
    signing.start();
    pools.start();
    watches.start();
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    watches.stop();
    signing.close();
    pools.stopGenerating();
    try {
      signing.finish();
      unload();
      leftovers.closeAfterStop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.warn("the stop was interrupted; the next start closes what is in flight");
    }
  }

  private void unload() {
    try {
      log.info("stopped in order; loaded keys put back into the store: {}", pools.unload());
    } catch (StoreException e) {
      log.error("loaded keys are not put back; the next start forfeits them: {}", e.getMessage());
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Before the web server, whose phase is just below the greatest. */
  @Override
  public int getPhase() {
    return 0;
  }
}
