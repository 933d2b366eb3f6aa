package org.keywell.service.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.Worker;

/**
 * Signing goes before generating, also where several instances use one token: each tells through
 * the database which tokens it signs with, and none begins a key in those that others sign with. A
 * hint, on a thread of its own: no request waits for it, and a key that is begun in between is
 * begun. While the database is away there is no hint, and nothing waits for one.
 *
 * <p>A token counts as busy if it is at the moment of a look, not if it was once since the last: so
 * others pause for as large a part of the time as it is used, and a few requests a second at each
 * instance do not keep all of them from making keys.
 *
 * <p>Thread-safe.
 */
public final class IdlenessWatch implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(500);

  /** How long a hint counts: two looks, and something for a slow one. */
  static final Duration HINT_COUNTS = Duration.ofMillis(1_200);

  private final Supplier<List<SharedToken>> devices;
  private final TokenUse use;
  private final Worker worker;

  /**
   * @param devices those that this instance works with at the moment
   */
  IdlenessWatch(Supplier<List<SharedToken>> devices, TokenUse use) {
    this.devices = devices;
    this.use = use;
    // Without the database no key is stored: it need not be looked for any sooner than this.
    this.worker = new Worker("keywell-idleness", this::look, Duration.ofSeconds(2));
  }

  public void start() {
    worker.start();
  }

  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** As {@link #close}. Returns whether the thread has ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** Looks once, as the thread does again and again. Returns how long to pause before the next. */
  Duration look() {
    List<SharedToken> tokens = devices.get();
    List<String> all = new ArrayList<>();
    List<String> busy = new ArrayList<>();
    for (SharedToken token : tokens) {
      String id = token.id().get();
      all.add(id);
      if (token.isBusy().getAsBoolean()) {
        busy.add(id);
      }
    }
    Map<String, Duration> elsewhere = use.tellAndAsk(busy, all, HINT_COUNTS);
    for (int i = 0; i < all.size(); i++) {
      @Nullable Duration age = elsewhere.get(all.get(i));
      if (age != null) {
        tokens.get(i).busyElsewhere().accept(HINT_COUNTS.minus(age));
      }
    }
    return EVERY;
  }
}
