package org.keywell.service.launch;

import org.keywell.keypool.DeviceWatch;
import org.keywell.keypool.GeneratorThreads;
import org.keywell.keypool.KeyLoader;
import org.keywell.keypool.LoadListener;
import org.keywell.keypool.LoaderThread;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.service.ca.CaWatch;
import org.keywell.service.database.InstanceLock;
import org.keywell.service.pool.PoolDepths;
import org.keywell.service.record.CaChain;
import org.keywell.service.record.RecordException;
import org.keywell.service.record.RecordWriter;
import org.keywell.service.record.Recovery;
import org.keywell.service.record.SignRecords;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.settings.PoolMode;
import org.keywell.service.sign.Admission;
import org.keywell.service.sign.HandlerThreads;
import org.keywell.service.sign.SignListener;
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

  private final KeywellProperties properties;
  private final Recovery recovery;
  private final WrappedKeyStore store;
  private final SignRecords records;
  private final CaChain caChain;
  private final RecordWriter writer;
  private final GeneratorThreads generator;
  private final LoaderThread loaderThread;
  private final KeyLoader loader;
  private final Admission admission;
  private final HandlerThreads handlers;
  private final InstanceLock lock;
  private final InstanceWatch watch;
  private final DeviceWatch deviceWatch;
  private final CaWatch caWatch;
  private final PoolDepths depths;
  private final SignListener requests;
  private final LoadListener keys;
  private volatile boolean running;

  public ServiceLifecycle(
      KeywellProperties properties,
      Recovery recovery,
      WrappedKeyStore store,
      SignRecords records,
      CaChain caChain,
      RecordWriter writer,
      GeneratorThreads generator,
      LoaderThread loaderThread,
      KeyLoader loader,
      Admission admission,
      HandlerThreads handlers,
      InstanceLock lock,
      DeviceWatch deviceWatch,
      CaWatch caWatch,
      PoolDepths depths,
      SignListener requests,
      LoadListener keys) {
    this.properties = properties;
    this.recovery = recovery;
    this.store = store;
    this.records = records;
    this.caChain = caChain;
    this.writer = writer;
    this.generator = generator;
    this.loaderThread = loaderThread;
    this.loader = loader;
    this.admission = admission;
    this.handlers = handlers;
    this.lock = lock;
    this.watch = new InstanceWatch(lock, admission);
    this.deviceWatch = deviceWatch;
    this.caWatch = caWatch;
    this.depths = depths;
    this.requests = requests;
    this.keys = keys;
  }

  @Override
  public void start() {
    int interrupted = recovery.closeInFlight();
    int forfeited = store.forfeitLeftovers();
    requests.interrupted(interrupted);
    keys.forfeited(forfeited);
    if (interrupted > 0 || forfeited > 0) {
      log.warn(
          "the last run of {} ended without order: {} requests in flight closed as failed, {} keys"
              + " forfeited",
          properties.instance(),
          interrupted,
          forfeited);
    }
    records.keep(caChain);
    writer.start();
    if (properties.pool().mode() == PoolMode.POOLED) {
      loaderThread.start();
      generator.start();
    }
    handlers.start();
    watch.start();
    deviceWatch.start();
    caWatch.start();
    depths.start();
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    watch.stop();
    deviceWatch.close();
    caWatch.close();
    depths.close();
    admission.close();
    generator.close();
    try {
      handlers.finish();
      writer.finish();
      loaderThread.close();
      unload();
      settle();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.warn("the stop was interrupted; the next start closes what is in flight");
    }
  }

  private void unload() {
    try {
      log.info("stopped in order; loaded keys put back into the store: {}", loader.unload());
    } catch (StoreException e) {
      log.error("loaded keys are not put back; the next start forfeits them: {}", e.getMessage());
    }
  }

  /**
   * Nothing is in flight any more: what is still open was lost in a failure that the run outlived.
   */
  private void settle() {
    if (!lock.ensureHeld()) {
      log.error("what this run left open is not closed: the instance's name is not held");
      return;
    }
    try {
      int interrupted = recovery.closeInFlight();
      int forfeited = store.forfeitLeftovers();
      if (interrupted > 0 || forfeited > 0) {
        log.warn(
            "closed at the stop, since their outcome could not be recorded: {} requests, {} keys",
            interrupted,
            forfeited);
      }
    } catch (StoreException | RecordException e) {
      log.error("what this run left open is not closed; the next start does: {}", e.getMessage());
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
