package org.keywell.signing.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.store.StoreException;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.pool.LostKeys;
import org.keywell.signing.pool.TokenMarks;
import org.keywell.signing.pool.UnpooledKeys;
import org.keywell.signing.pool.WrappingKeyWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The order in which the service starts and stops. It starts before the web server listens, and
 * stops after the web server has finished the requests that it had accepted. No step of the stop
 * waits without limit; its caller bounds them all together.
 */
@Component
public final class ServiceLifecycle implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(ServiceLifecycle.class);

  private final RestoredDatabase restored;
  private final SigningLog signingLog;
  private final Leftovers leftovers;
  private final LostKeys lostKeys;
  private final WrappingKeyWatch wrappingKeys;
  private final TokenMarks marks;
  private final Signing signing;
  private final KeyPools pools;
  private final UnpooledKeys unpooled;
  private final Watches watches;
  private final Duration stopLimit;
  private volatile boolean running;

  ServiceLifecycle(
      RestoredDatabase restored,
      SigningLog signingLog,
      Leftovers leftovers,
      LostKeys lostKeys,
      WrappingKeyWatch wrappingKeys,
      TokenMarks marks,
      Signing signing,
      KeyPools pools,
      UnpooledKeys unpooled,
      Watches watches,
      KeywellProperties properties) {
    this.restored = restored;
    this.signingLog = signingLog;
    this.leftovers = leftovers;
    this.lostKeys = lostKeys;
    this.wrappingKeys = wrappingKeys;
    this.marks = marks;
    this.signing = signing;
    this.pools = pools;
    this.unpooled = unpooled;
    this.watches = watches;
    this.stopLimit = properties.stopLimit();
  }

  @Override
  public void start() {
    lostKeys.check();
    List<String> accepted = restored.check();
    signingLog.start(accepted);
    leftovers.closeBeforeStart();
    wrappingKeys.beforeStart();
    marks.start();
    unpooled.warn();
    signing.start();
    watches.beforeStart();
    pools.start();
    watches.start();
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    Duration step = step();
    watches.stop(step);
    signing.close();
    boolean _ = pools.stopGenerating(step);
    try {
      // At half the limit, requests at work are failed, so this ends.
      boolean signed = signing.finish(stopLimit.dividedBy(2), stopLimit.dividedBy(3));
      watches.stopForHangs(step);
      if (!signed) {
        log.error("a sign thread has not ended; its device's loaded keys are not put back");
      }
      unload(step);
      marks.end(step, leftovers.closeAfterStop());
      boolean _ = signingLog.end(step);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.warn("the stop was interrupted; the next start closes what is in flight");
    }
  }

  /** Returns how long to wait for a thread that may be in a device call. */
  private Duration step() {
    return pools.devices().stream().anyMatch(device -> device.health().hung())
        ? Duration.ofSeconds(1)
        : stopLimit.dividedBy(6);
  }

  private void unload(Duration limit) {
    try {
      OptionalInt unloaded = pools.unload(limit);
      if (unloaded.isPresent()) {
        log.info("stopped in order; loaded keys put back into the store: {}", unloaded.getAsInt());
      }
    } catch (StoreException e) {
      log.error("loaded keys are not put back; the next start forfeits them: {}", e.getMessage());
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Below the web server's phase: starts earlier and stops later. */
  @Override
  public int getPhase() {
    return 0;
  }
}
