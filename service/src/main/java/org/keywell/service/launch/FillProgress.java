package org.keywell.service.launch;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Shows a fill's progress: redrawn in place on a terminal, a line every ten seconds elsewhere. */
final class FillProgress {

  private static final int BAR_WIDTH = 40;
  private static final Duration LINE_EVERY = Duration.ofSeconds(10);

  private final FillArguments fill;
  private final PrintStream out;
  private final LongSupplier nanoClock;
  private final boolean terminal = isTerminal();
  private final long startNanos;
  private long startStored = -1;
  private long lastLineNanos;

  FillProgress(FillArguments fill, PrintStream out, LongSupplier nanoClock) {
    this.fill = fill;
    this.out = out;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.lastLineNanos = startNanos - LINE_EVERY.toNanos();
  }

  void show(long stored) {
    if (startStored < 0) {
      startStored = stored;
    }
    long now = nanoClock.getAsLong();
    if (terminal) {
      out.print("\r\u001b[K" + line(stored, now));
      out.flush();
    } else if (now - lastLineNanos >= LINE_EVERY.toNanos()) {
      out.println(line(stored, now));
      lastLineNanos = now;
    }
  }

  /**
   * Prints the final result.
   *
   * @param stored keys in the store now
   * @param made by this fill
   */
  void finish(long stored, long made) {
    double seconds = (nanoClock.getAsLong() - startNanos) / 1e9;
    out.printf(
        Locale.ROOT,
        "%s%d %s keys are stored; %d made in %.1f s (%.1f/s)%n",
        terminal ? "\r\u001b[K" : "",
        stored,
        fill.keySpec(),
        made,
        seconds,
        made / Math.max(seconds, 1e-3));
    if (stored < fill.count()) {
      out.println("the running service has taken the others out of the store");
    }
  }

  /** Prints that a signal ended the fill. The keys made so far are stored. */
  void stopped(long made) {
    out.printf(
        "%sstopped; %d %s keys were made and are stored%n",
        terminal ? "\r\u001b[K" : "", made, fill.keySpec());
  }

  // System.console() does return null off a terminal, despite what the check assumes for JDK 22.
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private String line(long stored, long now) {
    int filled = (int) (BAR_WIDTH * stored / fill.count());
    double seconds = (now - startNanos) / 1e9;
    double rate = (stored - startStored) / Math.max(seconds, 1e-3);
    String left =
        rate <= 0
            ? "-"
            : Duration.ofSeconds((long) ((fill.count() - stored) / rate)).toString().substring(2);
    return String.format(
        Locale.ROOT,
        "[%s%s] %d/%d %s, %.1f/s, time left %s",
        "#".repeat(filled),
        " ".repeat(BAR_WIDTH - filled),
        stored,
        fill.count(),
        fill.keySpec(),
        rate,
        left.toLowerCase(Locale.ROOT));
  }
}
