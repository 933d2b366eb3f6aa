package org.keywell.loadgen.drive;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** A run's figures while it is in progress. Thread-safe. */
public final class LiveFigures {
  private final LongAdder due = new LongAdder();
  private final Map<Outcome.Kind, LongAdder> ended = new EnumMap<>(Outcome.Kind.class);
  private final Latencies latencies = new Latencies();

  public LiveFigures() {
    for (Outcome.Kind kind : Outcome.Kind.values()) {
      ended.put(kind, new LongAdder());
    }
  }

  void becameDue() {
    due.increment();
  }

  void ended(Sample sample) {
    count(sample.outcome().kind()).increment();
    if (sample.isSigned()) {
      latencies.record(sample.latencyFromDueNanos());
    }
  }

  private LongAdder count(Outcome.Kind kind) {
    LongAdder count = ended.get(kind);
    if (count == null) {
      throw new IllegalStateException("no counter for " + kind);
    }
    return count;
  }

  /** Returns how many requests have become due. */
  public long due() {
    return due.sum();
  }

  public long ended(Outcome.Kind kind) {
    return count(kind).sum();
  }

  /** Returns how many due requests have not ended. */
  public long open() {
    return due() - ended.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Returns how many requests ended without a signature. */
  public long dropped() {
    return ended.values().stream().mapToLong(LongAdder::sum).sum() - ended(Outcome.Kind.SIGNED);
  }

  /** Returns the latencies of signed requests, from when they were due. */
  public Latencies latencies() {
    return latencies;
  }
}
