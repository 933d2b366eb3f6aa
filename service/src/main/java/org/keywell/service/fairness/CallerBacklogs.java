package org.keywell.service.fairness;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.caller.Caller;

/**
 * How many requests for each kind of key each caller has waiting, and what follows for the next
 * one. Callers without any are not remembered.
 *
 * <p>Thread-safe.
 */
public final class CallerBacklogs {

  /**
   * What goes before a request.
   *
   * @param requests how many
   * @param nanos how long they take
   */
  public record Backlog(int requests, long nanos) {

    static final Backlog NONE = new Backlog(0, 0);

    private Backlog plus(Backlog other) {
      return new Backlog(requests + other.requests, nanos + other.nanos);
    }

    /** The part of it that takes so long at the most. */
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

    /** Of the kinds that take any time. */
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

  /** One more request waits. */
  public synchronized void add(Caller caller, KeySpec spec) {
    Waiting waiting = callers.computeIfAbsent(caller.name(), _ -> new Waiting());
    waiting.weight = caller.limits().queueSharePercent();
    waiting.byKind.merge(spec, 1, Integer::sum);
  }

  /** One of those does not wait any more. */
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
   * What is served before a further request of this caller's, where callers take turns by their
   * shares: all of its own, and of each other caller's as much as comes by its weight meanwhile.
   * With one caller it is all of it.
   *
   * @param nanosOf what one of a kind takes; 0: none of them is served meanwhile
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

  /** All that waits. */
  public synchronized Backlog all(ToLongFunction<KeySpec> nanosOf) {
    return callers.values().stream()
        .map(waiting -> waiting.backlog(nanosOf))
        .reduce(Backlog.NONE, Backlog::plus);
  }
}
