package org.keywell.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.keywell.client.PoolStatus;
import org.keywell.client.PoolStatus.Pool;

/** Shows how many keys the pools have. */
final class PoolTable {
  private static final String LINE = "  %-10s %14s %14s%n";

  private PoolTable() {}

  static void print(PrintWriter out, PoolStatus status) {
    out.printf(LINE, "Key", "stored", "in the HSM");
    for (Pool pool : status.pools()) {
      out.printf(
          LINE,
          pool.keySpec(),
          pool.stored() + " of " + pool.maxStored(),
          pool.loaded() + " of " + pool.loadedCapacity());
    }
    PoolStatus.Queue queue = status.queue();
    if (queue != null) {
      out.printf("  %d of at most %d requests wait%n", queue.length(), queue.limit());
    }
    if (!status.isPooled()) {
      out.println("  mode: " + status.mode() + " (keys are not made ahead of time)");
    }
    if (status.simulatedProfile() != null) {
      out.println("  HSM times are simulated: " + status.simulatedProfile());
    }
  }

  static void printChange(PrintWriter out, PoolStatus before, PoolStatus after) {
    out.printf(LINE, "Pool", "before", "after");
    for (Pool pool : before.pools()) {
      Pool later = find(after, pool.keySpec());
      if (later != null) {
        out.printf(LINE, pool.keySpec(), depth(pool), depth(later));
        out.printf(LINE, "  stored", pool.stored(), later.stored());
        out.printf(LINE, "  in HSM", pool.loaded(), later.loaded());
        out.printf(
            "  used meanwhile: %d, made meanwhile: %d%n",
            later.used() - pool.used(), later.generated() - pool.generated());
      }
    }
  }

  private static String depth(Pool pool) {
    return pool.depth() + " keys";
  }

  private static @Nullable Pool find(PoolStatus status, String keySpec) {
    return status.pools().stream()
        .filter(p -> p.keySpec().equals(keySpec))
        .findFirst()
        .orElse(null);
  }
}
