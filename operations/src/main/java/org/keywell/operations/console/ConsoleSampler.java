package org.keywell.operations.console;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.keywell.keypool.worker.Worker;
import org.keywell.operations.console.ConsoleEvent.Refusal;
import org.keywell.operations.console.ConsoleEvent.Request;
import org.keywell.operations.console.RequestFeed.Totals;

/**
 * Takes a sample each second on a separate thread, keeps the latest, and sends the state to
 * subscribers. Without any, it only keeps the sample.
 */
final class ConsoleSampler {

  static final Duration EVERY = Duration.ofSeconds(1);

  /** Ten minutes. */
  static final int HISTORY_SECONDS = 600;

  private final ServiceProbe probe;
  private final RequestFeed requests;
  private final Subscribers subscribers;
  private final EventFormat format;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final SampleRing history = new SampleRing(HISTORY_SECONDS);
  private final Worker worker = new Worker("keywell-console", this::sample);
  private Totals before;
  private long beforeNanos;

  ConsoleSampler(
      ServiceProbe probe,
      RequestFeed requests,
      Subscribers subscribers,
      EventFormat format,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.probe = probe;
    this.requests = requests;
    this.subscribers = subscribers;
    this.format = format;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.before = requests.totals();
    this.beforeNanos = nanoClock.getAsLong();
  }

  void start() {
    worker.start();
  }

  void stop() {
    worker.stop();
    worker.join(Worker.LONGEST_JOIN);
  }

  List<Sample> history() {
    return history.all();
  }

  /** Takes one sample; the thread repeats this. Returns how long to pause. */
  Duration sample() {
    long nanos = nanoClock.getAsLong();
    Totals totals = requests.totals();
    double seconds = Math.max(1, nanos - beforeNanos) / 1e9;
    Sample sample =
        new Sample(
            clock.millis(),
            (totals.signed() - before.signed()) / seconds,
            (totals.unsigned() - before.unsigned()) / seconds,
            probe.queueLength(),
            requests.endLatencyInterval().orElse(null),
            probe.pools());
    before = totals;
    beforeNanos = nanos;
    history.add(sample);
    if (subscribers.any()) {
      subscribers.offer(format.encode("now", now(sample, totals, nanos)));
    }
    return EVERY;
  }

  private ConsoleEvent.Now now(Sample sample, Totals totals, long nanos) {
    List<Request> latest =
        requests.newestFirst().stream().map(request -> Request.of(request, nanos)).toList();
    Refusal refusal = requests.lastRefusal().map(last -> Refusal.of(last, nanos)).orElse(null);
    return new ConsoleEvent.Now(sample, probe.state(), totals, refusal, latest);
  }
}
