package org.keywell.loadgen.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Shows a line that changes until it is closed: on a terminal drawn over and over, elsewhere anew
 * now and then.
 */
public final class ProgressLine implements AutoCloseable {
  private static final Duration REDRAW_EVERY = Duration.ofMillis(500);
  private static final Duration LINE_EVERY = Duration.ofSeconds(10);

  private final PrintWriter out;
  private final boolean terminal;
  private final Supplier<String> line;
  private final Thread showing;
  private int lastLength;

  public ProgressLine(PrintWriter out, boolean terminal, Supplier<String> line) {
    this.out = out;
    this.terminal = terminal;
    this.line = line;
    this.showing = Thread.ofVirtual().name("progress").start(this::keepShowing);
  }

  private void keepShowing() {
    try {
      while (true) {
        Thread.sleep(terminal ? REDRAW_EVERY : LINE_EVERY);
        show();
      }
    } catch (InterruptedException e) {
      // What it tells of has ended.
    }
  }

  private void show() {
    String text = line.get();
    if (terminal) {
      out.print("\r" + text + " ".repeat(Math.max(0, lastLength - text.length())));
      lastLength = text.length();
    } else {
      out.println(text);
    }
    out.flush();
  }

  /** Leaves a terminal's line empty, for what follows. */
  @Override
  public void close() {
    showing.interrupt();
    boolean interrupted = false;
    while (showing.isAlive()) {
      try {
        showing.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (lastLength > 0) {
      out.print("\r" + " ".repeat(lastLength) + "\r");
      out.flush();
    }
  }
}
