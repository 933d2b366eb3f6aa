package org.keywell.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows a job's progress and the time left. On a terminal it redraws one line; elsewhere it prints
 * a line now and then, so that logs stay readable.
 */
final class ProgressBar {
  private static final int CELLS = 30;
  private static final long PLAIN_LINE_EVERY_NANOS = 2_000_000_000L;

  private final PrintWriter out;
  private final boolean terminal;
  private final LongSupplier nanoClock;
  private final String label;

  private long startedNanos;
  private long startedAt = -1;
  private long lastLineNanos;
  private int lastLength;

  ProgressBar(PrintWriter out, boolean terminal, LongSupplier nanoClock, String label) {
    this.out = out;
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    this.label = label;
  }

  /** Returns a bar that knows by itself whether it is on a terminal. */
  static ProgressBar on(PrintWriter out, String label) {
    return new ProgressBar(out, isTerminal(), System::nanoTime, label);
  }

  // Error Prone assumes it is never null since JDK 22, but JDK 25 returns null off a terminal.
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** Shows that {@code done} of {@code total} is reached; the first call starts the clock. */
  void show(long done, long total) {
    long now = nanoClock.getAsLong();
    boolean first = startedAt < 0;
    if (first) {
      startedAt = done;
      startedNanos = now;
    }
    boolean due = first || done >= total || now - lastLineNanos >= PLAIN_LINE_EVERY_NANOS;
    if (terminal) {
      redraw(bar(done, total) + pace(done, total, now));
    } else if (due) {
      out.println(label + " " + done + "/" + total + pace(done, total, now));
      out.flush();
      lastLineNanos = now;
    }
  }

  /** Shows text while no numbers are known, but only on a terminal, where lines do not pile up. */
  void showText(String text) {
    if (terminal) {
      redraw(label + " " + text);
    }
  }

  /** Ends the line, so that further output starts on a new one. */
  void end() {
    if (terminal && lastLength > 0) {
      out.println();
      out.flush();
      lastLength = 0;
    }
  }

  private String bar(long done, long total) {
    int filled = total <= 0 ? CELLS : (int) Math.min(CELLS, CELLS * done / total);
    return "%s [%s%s] %d/%d"
        .formatted(label, "#".repeat(filled), ".".repeat(CELLS - filled), done, total);
  }

  /** Returns speed and time left, once there is enough data. */
  private String pace(long done, long total, long now) {
    long gained = done - startedAt;
    double seconds = (now - startedNanos) / 1e9;
    if (gained <= 0 || seconds < 0.5) {
      return "";
    }
    double perSecond = gained / seconds;
    String pace = String.format(Locale.ROOT, "  %.1f/s", perSecond);
    return done >= total
        ? pace
        : pace + "  " + (long) Math.ceil((total - done) / perSecond) + " s left";
  }

  private void redraw(String line) {
    out.print("\r" + line + " ".repeat(Math.max(0, lastLength - line.length())));
    out.flush();
    lastLength = line.length();
  }
}
