package org.keywell.signing.log;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.keywell.tlog.TreeHash;

/**
 * What this process has committed and not yet seen in the tree, by hash. Bounded: while the tree
 * does not grow for long, the oldest are forgotten. Thread-safe.
 */
final class CommittedLeaves {

  /** Half an hour at the peak of the thesis. */
  private static final int MAX = 100_000;

  private final LongSupplier nanoClock;

  /** Empty: written, in a transaction that may not be committed. Otherwise, when it was. */
  private final Map<TreeHash, OptionalLong> waiting = new LinkedHashMap<>();

  CommittedLeaves(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * To be called before the commit: a sequencer may have integrated them before anybody here hears
   * of it.
   */
  synchronized void written(Collection<TreeHash> leaves) {
    leaves.forEach(leaf -> waiting.put(leaf, OptionalLong.empty()));
    while (waiting.size() > MAX) {
      waiting.remove(waiting.keySet().iterator().next());
    }
  }

  synchronized void committed(Collection<TreeHash> leaves) {
    OptionalLong now = OptionalLong.of(nanoClock.getAsLong());
    leaves.forEach(leaf -> waiting.computeIfPresent(leaf, (_, _) -> now));
  }

  /** Forgets these: they are in the tree, known to be missing, or rolled back. */
  synchronized void remove(Collection<TreeHash> leaves) {
    if (!waiting.isEmpty()) {
      leaves.forEach(waiting::remove);
    }
  }

  /** Returns those that were committed so long ago. */
  synchronized Set<TreeHash> olderThan(Duration age) {
    long now = nanoClock.getAsLong();
    return waiting.entrySet().stream()
        .filter(leaf -> leaf.getValue().isPresent())
        .filter(leaf -> now - leaf.getValue().getAsLong() >= age.toNanos())
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }
}
