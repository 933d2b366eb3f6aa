package org.keywell.operations.console;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest samples, oldest first, up to a limit. Thread-safe. */
final class SampleRing {

  private final int capacity;
  private final Deque<Sample> samples;

  /**
   * @param capacity maximum number of samples kept, at least 1
   */
  SampleRing(int capacity) {
    this.capacity = capacity;
    this.samples = new ArrayDeque<>(capacity);
  }

  /** Adds the newest; drops the oldest if there is no room. */
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
