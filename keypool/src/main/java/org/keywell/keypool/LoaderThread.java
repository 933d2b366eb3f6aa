package org.keywell.keypool;

import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;
import org.keywell.keypool.hsm.KeySpec;

/**
 * The thread that runs a {@link KeyLoader}. Twice a second, however busy or unlucky the loader is,
 * it also lets the loader look for kinds of key that had run out.
 */
public final class LoaderThread implements AutoCloseable {

  /** How soon a store that was found empty is asked again, since others may have filled it. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final KeyLoader loader;
  private final Shelves pool;
  private final Collection<KeySpec> specs;
  private final LongSupplier nanoClock;
  private final Worker worker;
  private long lookedNanos;

  public LoaderThread(KeyLoader loader, Shelves pool, Collection<KeySpec> specs) {
    this(loader, pool, specs, System::nanoTime);
  }

  LoaderThread(KeyLoader loader, Shelves pool, Collection<KeySpec> specs, LongSupplier nanoClock) {
    this.loader = loader;
    this.pool = pool;
    this.specs = specs;
    this.nanoClock = nanoClock;
    this.lookedNanos = nanoClock.getAsLong();
    this.worker = new Worker("keywell-loader", () -> step(LOOK_AGAIN));
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

  /** Whether the thread has ended although nobody asked it to. */
  public boolean isBroken() {
    return worker.isBroken();
  }

  /** Only the loader's thread, or a test in its place, calls this. */
  Duration step(Duration maxWait) throws InterruptedException {
    long now = nanoClock.getAsLong();
    if (now - lookedNanos >= LOOK_AGAIN.toNanos()) {
      lookedNanos = now;
      specs.forEach(pool::storeRefilled);
    }
    loader.loadNext(maxWait);
    return Duration.ZERO;
  }
}
