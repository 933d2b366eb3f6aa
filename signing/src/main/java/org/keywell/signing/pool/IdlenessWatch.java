package org.keywell.signing.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.database.TokenUse;

/**
 * Gives signing priority over generation where several instances use one token: each announces in
 * the database which tokens it signs with, and none starts a key in those that others sign with. A
 * hint, on a separate thread: no request waits for it, and a key started in between is finished.
 * While the database is away there is no hint, and nothing waits for one.
 *
 * <p>A token counts as busy if it is at the moment of a check, not if it was since the last one. So
 * others pause in proportion to its use, and a few requests a second at each instance do not keep
 * all of them from generating keys.
 *
 * <p>Thread-safe.
 */
public final class IdlenessWatch implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(500);

  /** How long a hint counts: two checks, plus a margin for a slow one. */
  static final Duration HINT_COUNTS = Duration.ofMillis(1_200);

  private final Supplier<List<SharedToken>> devices;
  private final TokenUse use;
  private final Worker worker;

  /**
   * @param devices those that this instance uses at the moment
   */
  IdlenessWatch(Supplier<List<SharedToken>> devices, TokenUse use) {
    this.devices = devices;
    this.use = use;
    // Without the database no key is stored: checking sooner is no use.
    this.worker = new Worker("keywell-idleness", this::look, Duration.ofSeconds(2));
  }

  public void start() {
    worker.start();
  }

  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** As {@link #close}. Returns whether the thread ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** Checks once; the thread repeats this. Returns how long to pause before the next check. */
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
