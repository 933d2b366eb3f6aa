package org.keywell.bench.tables.measure;

import java.util.Arrays;
import java.util.List;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;

/** Single times in the order in which they were taken. Not thread-safe. */
final class Timings {
  private final long[] nanos;
  private int size;

  /** Creates timings with room for {@code capacity} times. */
  Timings(int capacity) {
    nanos = new long[capacity];
  }

  void add(long durationNanos) {
    nanos[size++] = durationNanos;
  }

  int size() {
    return size;
  }

  long[] nanos() {
    return Arrays.copyOf(nanos, size);
  }

  long totalNanos() {
    return Arrays.stream(nanos, 0, size).sum();
  }

  /** Returns the quantity that was timed; nothing if it never was. */
  List<Timed> as(Quantity quantity) {
    return size == 0 ? List.of() : List.of(new Timed(quantity, Figure.ofSingles(nanos())));
  }
}
