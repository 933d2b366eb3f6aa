package org.keywell.loadgen.watch;

import java.util.Locale;
import org.keywell.loadgen.drive.LiveFigures;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.schedule.Schedule;

/** Describes a run's progress in a line. Not thread-safe. */
public final class Progress {
  private final Schedule schedule;
  private final LiveFigures live;
  private final PoolWatch pool;
  private final AchievedRate achieved = new AchievedRate();

  public Progress(Schedule schedule, LiveFigures live, PoolWatch pool) {
    this.schedule = schedule;
    this.live = live;
    this.pool = pool;
  }

  /** Returns the state at a time from the run's start; times must not decrease between calls. */
  public String line(long elapsedNanos) {
    long leftSeconds = Math.ceilDiv(schedule.durationNanos() - elapsedNanos, 1_000_000_000L);
    PoolPoint stock = pool.latest();
    String depth =
        stock == null
            ? "queue ?, pool ?"
            : String.format(Locale.ROOT, "queue %d, pool %,d", stock.queueLength(), stock.depth());
    return String.format(
        Locale.ROOT,
        "%,d/%,d | rate %.1f due, %.1f achieved | p50 %.1f, p99 %.1f ms | dropped %,d | %s"
            + " | %s",
        live.due(),
        schedule.requests(),
        schedule.perSecondAt(elapsedNanos),
        achieved.perSecond(elapsedNanos / 1e9, live.ended(Outcome.Kind.SIGNED)),
        live.latencies().percentileMillis(50),
        live.latencies().percentileMillis(99),
        live.dropped(),
        depth,
        leftSeconds > 0 ? leftSeconds + " s left" : "%,d answers to come".formatted(live.open()));
  }
}
