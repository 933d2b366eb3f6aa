package org.keywell.signing.log;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.keywell.tlog.TreeHash;

/**
 * What this process has committed and not yet seen in the tree, by hash. Bounded: while the tree
 * does not grow for long, the oldest are forgotten. Thread-safe.
 */
final class CommittedLeaves {

  /** Half an hour at the peak of the thesis. */
  private static final int MAX = 100_000;

  private final LongSupplier nanoClock;

  /** By age; the value is when each was committed. */
  private final Map<TreeHash, Long> waiting = new LinkedHashMap<>();

  CommittedLeaves(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  synchronized void add(Collection<TreeHash> leaves) {
    long now = nanoClock.getAsLong();
    leaves.forEach(leaf -> waiting.put(leaf, now));
    while (waiting.size() > MAX) {
      waiting.remove(waiting.keySet().iterator().next());
    }
  }

  /** Forgets these: they are in the tree, or known to be missing. */
  synchronized void remove(Collection<TreeHash> leaves) {
    if (!waiting.isEmpty()) {
      leaves.forEach(waiting::remove);
    }
  }

  /** Returns those that were committed so long ago. */
  synchronized Set<TreeHash> olderThan(Duration age) {
    long now = nanoClock.getAsLong();
    List<TreeHash> old =
        waiting.entrySet().stream()
            .takeWhile(leaf -> now - leaf.getValue() >= age.toNanos())
            .map(Map.Entry::getKey)
            .toList();
    return Set.copyOf(old);
  }
}
