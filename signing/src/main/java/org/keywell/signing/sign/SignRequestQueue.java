package org.keywell.signing.sign;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerBacklogs;
import org.keywell.signing.fairness.CallerPlaces;
import org.keywell.signing.fairness.FairTurns;

/**
 * The bounded queue between admission and the sign handlers. Callers take turns by their shares; a
 * caller's requests for one kind of key are served first in, first out. With one caller and one
 * kind, it is the thesis's queue (section 3.7). A request whose kind has no key waits here, and
 * those for other kinds pass it. A place is reserved before a request is recorded, so a recorded
 * request always has one; {@link Admitted} holds it. The second call of an act needs none: the
 * limit on open acts bounds their number.
 *
 * <p>Thread-safe.
 */
public final class SignRequestQueue {

  /**
   * How often to check whether requests that wait for a key may keep waiting: their deadlines pass,
   * and devices fail, without notice.
   */
  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

  /** Assumed time of a request before one of its kind has been measured. */
  private static final long FIRST_GUESS_NANOS = Duration.ofMillis(1).toNanos();

  /**
   * A request whose turn it is.
   *
   * @param start how work on it starts
   * @param keyWait how long no request of its kind could start, for lack of a key
   * @param chargedNanos what its caller has been charged for it so far
   */
  record Turn(Admitted admitted, Start start, Duration keyWait, long chargedNanos) {}

  /** The requests for one kind of key. Changed under the lock. */
  private static final class Line {
    private int waiting;

    /** Whether there was no key for the first of them, in this round. */
    private boolean passedOver;

    /** Since when there has been no key, by the clock; meaningless if there is one. */
    private long keylessSince;

    /** Whether there was no key at the last check. */
    private volatile boolean keyless;

    /** Time of the last one that had a key, and of the last one whose key was generated. */
    private long workNanos = FIRST_GUESS_NANOS;

    private long makingNanos = FIRST_GUESS_NANOS;

    private long expectedNanos(Start start) {
      return switch (start) {
        case Start.Leased _ -> workNanos;
        case Start.Refused _ -> 0;
        case Start.Plain plain ->
            switch (plain) {
              case OPEN_ACT -> workNanos;
              case MAKE_KEY -> makingNanos;
              case OVERDUE -> 0;
            };
      };
    }

    private void took(Start start, long nanos) {
      switch (start) {
        case Start.Leased _ -> workNanos = nanos;
        case Start.Refused _ -> {}
        case Start.Plain plain -> {
          switch (plain) {
            case OPEN_ACT -> workNanos = nanos;
            case MAKE_KEY -> makingNanos = nanos;
            case OVERDUE -> {}
          }
        }
      }
    }

    private void taken() {
      waiting--;
      if (waiting == 0) {
        keyless = false;
      }
    }
  }

  private final CallerPlaces places;
  private final CallerBacklogs backlogs = new CallerBacklogs();
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** For threads that generate keys: a request may need one, and it may be its turn. */
  private final Condition keyNeeded = lock.newCondition();

  /** Guarded by the lock, as are the next fields. */
  private final FairTurns<Line, Admitted> waiting = new FairTurns<>();

  private final Map<KeySpec, Line> lines = new EnumMap<>(KeySpec.class);

  /** The second calls of acts. */
  private final Line withKey = new Line();

  private long lookedNanos;

  /** Whether a handler waits for a key. Set under the lock, before it checks again. */
  private volatile boolean keyAwaited;

  /**
   * @param limit how many requests may wait
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public SignRequestQueue(int limit, LongSupplier nanoClock) {
    this.places = new CallerPlaces(limit);
    this.nanoClock = nanoClock;
    this.lookedNanos = nanoClock.getAsLong();
    for (KeySpec spec : KeySpec.values()) {
      lines.put(spec, new Line());
    }
  }

  /** Reserves a place for a request of this caller. */
  public CallerPlaces.Taking reserve(Caller caller, KeySpec spec) {
    CallerPlaces.Taking taking = places.take(caller);
    if (taking == CallerPlaces.Taking.TAKEN) {
      backlogs.add(caller, spec);
    }
    return taking;
  }

  /** Frees a place; {@link Admitted} ensures that this happens once. */
  void release(Caller caller, KeySpec spec) {
    backlogs.remove(caller, spec);
    places.free(caller);
  }

  private Line lineOf(Admitted request) {
    return request.hasPlace() ? line(request.keySpec()) : withKey;
  }

  private Line line(KeySpec spec) {
    return Objects.requireNonNull(lines.get(spec));
  }

  /** Puts a request into its reserved place. */
  void enqueue(Admitted request) {
    lock.lock();
    try {
      if (request.hasPlace() && waiting.size() - withKey.waiting == places.limit()) {
        throw new IllegalStateException("a request was queued without a reserved place");
      }
      Line line = lineOf(request);
      line.waiting++;
      waiting.add(request.caller().name(), line, request);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the request whose turn it is among those that can start, and frees its place. One whose
   * deadline passed while it waited for a key is taken soon, as if it could start.
   *
   * @param starts how work on a request starts; null: it cannot yet. A non-null result takes the
   *     request and is returned with it; there is one per request
   * @return null if there was none in time
   */
  @Nullable Turn poll(long maxWaitNanos, Function<PendingRequest, @Nullable Start> starts)
      throws InterruptedException {
    Turn next;
    lock.lockInterruptibly();
    try {
      long left = maxWaitNanos;
      for (next = next(starts); next == null && left > 0; next = next(starts)) {
        boolean someWait = waiting.size() > 0;
        if (someWait && !keyAwaited) {
          // A key that came before this was not signalled.
          keyAwaited = true;
        } else {
          long slice = someWait ? Math.min(left, LOOK_NANOS) : left;
          left -= slice - changed.awaitNanos(slice);
        }
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.admitted.begin();
    }
    return next;
  }

  /**
   * Takes a request that needs a key generated, once no other caller has an earlier turn and a
   * request that could start.
   *
   * @return null if there was none in time
   */
  @Nullable Turn pollForMaking(long maxWaitNanos, Function<PendingRequest, KeySource.Way> ways)
      throws InterruptedException {
    Turn next;
    lock.lockInterruptibly();
    try {
      long left = maxWaitNanos;
      for (next = nextForMaking(ways); next == null && left > 0; next = nextForMaking(ways)) {
        long slice = isAnyKeyless() ? Math.min(left, LOOK_NANOS) : left;
        left -= slice - keyNeeded.awaitNanos(slice);
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.admitted.begin();
    }
    return next;
  }

  private @Nullable Turn nextForMaking(Function<PendingRequest, KeySource.Way> ways) {
    if (!isAnyKeyless()) {
      return null;
    }
    AtomicReference<String> ahead = new AtomicReference<>();
    Turn next = waiting.poll(request -> offerForMaking(request, ways, ahead));
    if (next != null) {
      charge(next.admitted.caller(), next.chargedNanos);
    }
    return next;
  }

  private @Nullable Turn offerForMaking(
      Admitted request,
      Function<PendingRequest, KeySource.Way> ways,
      AtomicReference<String> ahead) {
    String caller = request.caller().name();
    if (ahead.get() != null && !caller.equals(ahead.get())) {
      return null;
    }
    return switch (ways.apply(request.request())) {
      case SIGN -> {
        ahead.set(caller);
        yield null;
      }
      case WAIT -> null;
      case MAKE -> {
        Line line = lineOf(request);
        line.taken();
        Start start = Start.Plain.MAKE_KEY;
        yield new Turn(request, start, Duration.ZERO, line.expectedNanos(start));
      }
    };
  }

  /** Charges the caller what a request took: it is over, or another thread has ended it. */
  void done(Turn turn, long nanos) {
    lock.lock();
    try {
      lineOf(turn.admitted).took(turn.start, nanos);
      charge(turn.admitted.caller(), nanos - turn.chargedNanos);
    } finally {
      lock.unlock();
    }
  }

  private void charge(Caller caller, long nanos) {
    waiting.charge(caller.name(), caller.limits().queueSharePercent(), nanos);
  }

  private @Nullable Turn next(Function<PendingRequest, @Nullable Start> starts) {
    long now = nanoClock.getAsLong();
    if (now - lookedNanos >= LOOK_NANOS && isAnyKeyless()) {
      Admitted late = removeOverdue();
      if (late != null) {
        Start start = Objects.requireNonNull(starts.apply(late.request()));
        return new Turn(late, start, Duration.ZERO, 0);
      }
      lookedNanos = now;
    }
    for (Line line : lines.values()) {
      line.passedOver = false;
    }
    Turn next = waiting.poll(request -> offer(request, starts, now));
    if (next != null) {
      charge(next.admitted.caller(), next.chargedNanos);
    }
    if (isAnyKeyless()) {
      keyNeeded.signal();
    }
    return next;
  }

  private @Nullable Turn offer(
      Admitted request, Function<PendingRequest, @Nullable Start> starts, long now) {
    Line line = lineOf(request);
    if (line.passedOver) {
      return null;
    }
    Start start = starts.apply(request.request());
    if (start == null) {
      line.passedOver = true;
      if (!line.keyless) {
        line.keylessSince = now;
        line.keyless = true;
      }
      return null;
    }
    Duration keyWait = line.keyless ? Duration.ofNanos(now - line.keylessSince) : Duration.ZERO;
    if (start != Start.Plain.OVERDUE) {
      line.keyless = false;
    }
    line.taken();
    return new Turn(request, start, keyWait, line.expectedNanos(start));
  }

  private boolean isAnyKeyless() {
    for (Line line : lines.values()) {
      if (line.keyless) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Admitted removeOverdue() {
    Admitted overdue = waiting.remove(request -> !request.request().left().isPositive());
    if (overdue != null) {
      lineOf(overdue).taken();
    }
    return overdue;
  }

  /** Takes a request whose deadline has passed, from any position; null if there is none. */
  @Nullable Turn pollOverdue() {
    Admitted overdue;
    lock.lock();
    try {
      overdue = removeOverdue();
    } finally {
      lock.unlock();
    }
    if (overdue == null) {
      return null;
    }
    overdue.begin();
    return new Turn(overdue, Start.Plain.OVERDUE, Duration.ZERO, 0);
  }

  /** Takes any request, whether it could start or not, to end it without work; null: none waits. */
  @Nullable Admitted pollAny() {
    Admitted any;
    lock.lock();
    try {
      any = waiting.remove(_ -> true);
      if (any != null) {
        lineOf(any).taken();
      }
    } finally {
      lock.unlock();
    }
    if (any != null) {
      any.begin();
    }
    return any;
  }

  /** Notes that there may be a key for a request that found none. Fast if none waits. */
  public void keysChanged() {
    if (keyAwaited) {
      lock.lock();
      try {
        keyAwaited = false;
        changed.signalAll();
        keyNeeded.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits until no place is reserved or taken. Returns whether this happened in time. */
  public boolean awaitEmpty(Duration maxWait) throws InterruptedException {
    return places.awaitNone(maxWait);
  }

  /** Returns how many places are taken, by requests that wait or are being recorded. */
  public int length() {
    return places.taken();
  }

  public int limit() {
    return places.limit();
  }

  /** Returns how many requests wait because there is no key of this kind. */
  public int waitingForKey(KeySpec spec) {
    lock.lock();
    try {
      Line line = line(spec);
      return line.keyless ? line.waiting : 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns roughly what is processed before this caller's next request for this kind of key.
   * Requests that wait for keys of another kind do not count.
   *
   * @param nanosOf time of one request of a kind
   */
  CallerBacklogs.Backlog before(Caller caller, KeySpec spec, ToLongFunction<KeySpec> nanosOf) {
    return backlogs.before(
        caller, other -> other == spec || !line(other).keyless ? nanosOf.applyAsLong(other) : 0);
  }

  /** Returns what is processed before this caller's next request for any kind of key. */
  CallerBacklogs.Backlog before(Caller caller, ToLongFunction<KeySpec> nanosOf) {
    return backlogs.before(caller, nanosOf);
  }

  /** Returns all that waits, or is just being recorded. */
  CallerBacklogs.Backlog all(ToLongFunction<KeySpec> nanosOf) {
    return backlogs.all(nanosOf);
  }

  /** Returns how many places a caller may have. */
  int shareOf(Caller caller) {
    return places.shareOf(caller);
  }

  /** Whether a caller's share is full. */
  boolean isShareFull(Caller caller) {
    return places.isShareFull(caller);
  }
}
