package org.keywell.service.ops.console;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest samples, the oldest first, up to a limit. Thread-safe. */
final class SampleRing {

  private final int capacity;
  private final Deque<Sample> samples;

  /**
   * @param capacity samples that are kept at the most, at least 1
   */
  SampleRing(int capacity) {
    this.capacity = capacity;
    this.samples = new ArrayDeque<>(capacity);
  }

  /** Adds the newest; the oldest gives way if there is no room. */
  synchronized void add(Sample sample) {
    if (samples.size() == capacity) {
      samples.removeFirst();
    }
    samples.addLast(sample);
  }

  synchronized List<Sample> all() {
    return List.copyOf(samples);
  }
}
