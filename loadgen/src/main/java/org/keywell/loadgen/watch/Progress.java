package org.keywell.loadgen.watch;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.keywell.loadgen.drive.LiveFigures;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.schedule.Schedule;

/**
 * Tells people how a run goes: on a terminal one line that is drawn over and over, elsewhere a line
 * now and then.
 */
public final class Progress {
  private static final Duration REDRAW_EVERY = Duration.ofMillis(500);
  private static final Duration LINE_EVERY = Duration.ofSeconds(10);

  private final PrintWriter out;
  private final boolean terminal;
  private final Schedule schedule;
  private final LiveFigures live;
  private final PoolWatch pool;
  private final AchievedRate achieved = new AchievedRate();
  private int lastLength;

  public Progress(
      PrintWriter out, boolean terminal, Schedule schedule, LiveFigures live, PoolWatch pool) {
    this.out = out;
    this.terminal = terminal;
    this.schedule = schedule;
    this.live = live;
    this.pool = pool;
  }

  /** How long to wait between two calls of {@link #show}. */
  public Duration interval() {
    return terminal ? REDRAW_EVERY : LINE_EVERY;
  }

  /** Shows the state at the given time from the run's start. */
  public synchronized void show(long elapsedNanos) {
    String line = line(elapsedNanos);
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, lastLength - line.length())));
      lastLength = line.length();
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** Leaves the line, so that what follows starts on a new one. */
  public synchronized void end() {
    if (terminal && lastLength > 0) {
      out.println();
      out.flush();
      lastLength = 0;
    }
  }

  private String line(long elapsedNanos) {
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
