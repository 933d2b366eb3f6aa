package org.keywell.bench.rig;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;

/** Polls the number of loaded keys ten times a second, from its start to its end. */
public final class LoadedWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(100);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private final BenchService service;
  private final String keySpec;
  private final FutureTask<Integer> watching = new FutureTask<>(this::watch);
  private volatile boolean ended;

  private LoadedWatch(BenchService service, String keySpec) {
    this.service = service;
    this.keySpec = keySpec;
  }

  public static LoadedWatch start(BenchService service, String keySpec) {
    LoadedWatch watch = new LoadedWatch(service, keySpec);
    var _ = Thread.ofVirtual().name("loaded-watch").start(watch.watching);
    return watch;
  }

  private int watch() throws IOException, InterruptedException {
    int least = Integer.MAX_VALUE;
    try (KeywellClient client = new KeywellClient(service.url(), ANSWER_WITHIN, null)) {
      while (!ended) {
        PoolStatus pool =
            client
                .poolOnceUp()
                .orElseThrow(() -> new IOException(service.url() + " does not tell of its pool"));
        least = Math.min(least, pool.loaded(keySpec));
        Thread.sleep(EVERY);
      }
    }
    return least;
  }

  /**
   * Returns the lowest number seen and stops polling.
   *
   * @throws IOException if the service did not report it
   */
  public int least() throws IOException, InterruptedException {
    ended = true;
    try {
      return watching.get();
    } catch (ExecutionException e) {
      throw new IOException("the loaded keys cannot be watched: " + e.getCause(), e);
    }
  }

  @Override
  public void close() {
    ended = true;
  }
}
