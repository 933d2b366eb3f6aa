package org.keywell.keypool.load;

import java.time.Duration;
import java.util.Collection;
import org.keywell.keypool.Worker;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.pool.KeyPool;
import org.keywell.keypool.pool.OrphanKeys;

/** The thread that runs a {@link KeyLoader} and, in its pauses, tries orphaned keys again. */
public final class LoaderThread implements AutoCloseable {

  /** How soon a store that was found empty is asked again; others may have filled it. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final Worker worker;

  public LoaderThread(
      KeyLoader loader, KeyPool pool, OrphanKeys orphans, Collection<KeySpec> specs) {
    this.worker =
        new Worker(
            "keywell-loader",
            () -> {
              if (loader.loadNext(LOOK_AGAIN) == KeyLoader.Step.NO_NEED) {
                orphans.retry();
                specs.forEach(pool::storeRefilled);
              }
              return Duration.ZERO;
            });
  }

  public void start() {
    worker.start();
  }

  /** Ends after the batch that is being loaded. */
  @Override
  public void close() {
    worker.stop();
    worker.join();
  }
}
