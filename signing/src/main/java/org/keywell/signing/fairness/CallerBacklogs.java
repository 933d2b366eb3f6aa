package org.keywell.signing.fairness;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;

/**
 * Counts each caller's waiting requests by kind of key, and derives what goes before its next one.
 * Callers without any are not remembered.
 *
 * <p>Thread-safe.
 */
public final class CallerBacklogs {

  /**
   * The requests ahead of another one.
   *
   * @param requests how many
   * @param nanos how long they take
   */
  public record Backlog(int requests, long nanos) {

    static final Backlog NONE = new Backlog(0, 0);

    private Backlog plus(Backlog other) {
      return new Backlog(requests + other.requests, nanos + other.nanos);
    }

    /** Returns the part that takes at most this long. */
    private Backlog within(long limitNanos) {
      return nanos <= limitNanos
          ? this
          : new Backlog((int) ((double) requests * limitNanos / nanos), limitNanos);
    }
  }

  /** A caller with at least one request. */
  private static final class Waiting {
    private final Map<KeySpec, Integer> byKind = new EnumMap<>(KeySpec.class);
    private int weight;

    /** Counts only kinds that take any time. */
    private Backlog backlog(ToLongFunction<KeySpec> nanosOf) {
      int requests = 0;
      long nanos = 0;
      for (Map.Entry<KeySpec, Integer> ofKind : byKind.entrySet()) {
        long each = nanosOf.applyAsLong(ofKind.getKey());
        if (each > 0) {
          requests += ofKind.getValue();
          nanos += ofKind.getValue() * each;
        }
      }
      return new Backlog(requests, nanos);
    }
  }

  /** Guarded by this. */
  private final Map<String, Waiting> callers = new HashMap<>();

  /** Adds a waiting request. */
  public synchronized void add(Caller caller, KeySpec spec) {
    Waiting waiting = callers.computeIfAbsent(caller.name(), _ -> new Waiting());
    waiting.weight = caller.limits().queueSharePercent();
    waiting.byKind.merge(spec, 1, Integer::sum);
  }

  /** Removes a request that waited. */
  public synchronized void remove(Caller caller, KeySpec spec) {
    @Nullable Waiting waiting = callers.get(caller.name());
    if (waiting == null || !waiting.byKind.containsKey(spec)) {
      throw new IllegalStateException(caller.name() + " has no request for a " + spec + " key");
    }
    waiting.byKind.computeIfPresent(spec, (_, requests) -> requests == 1 ? null : requests - 1);
    if (waiting.byKind.isEmpty()) {
      callers.remove(caller.name());
    }
  }

  /**
   * Returns what is served before this caller's next request if callers take turns by their shares:
   * all of its own requests, and as many of each other caller's as that caller's weight allows
   * meanwhile. With one caller, that is everything.
   *
   * @param nanosOf time of one request of a kind; 0 if none of them is served meanwhile
   */
  public synchronized Backlog before(Caller caller, ToLongFunction<KeySpec> nanosOf) {
    @Nullable Waiting own = callers.get(caller.name());
    if (own == null) {
      return Backlog.NONE;
    }
    long ownNanos = own.backlog(nanosOf).nanos;
    Backlog before = Backlog.NONE;
    for (Waiting other : callers.values()) {
      before = before.plus(other.backlog(nanosOf).within(ownNanos * other.weight / own.weight));
    }
    return before;
  }

  /** Returns all that waits. */
  public synchronized Backlog all(ToLongFunction<KeySpec> nanosOf) {
    return callers.values().stream()
        .map(waiting -> waiting.backlog(nanosOf))
        .reduce(Backlog.NONE, Backlog::plus);
  }
}
