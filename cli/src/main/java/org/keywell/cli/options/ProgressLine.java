package org.keywell.cli.options;

import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Shows a changing line until it is closed: redrawn in place on a terminal, printed now and then
 * elsewhere.
 */
public final class ProgressLine implements AutoCloseable {
  private static final Duration REDRAW_EVERY = Duration.ofMillis(500);
  private static final Duration LINE_EVERY = Duration.ofSeconds(10);

  private final PrintWriter out;
  private final Supplier<String> line;
  private final boolean keptAtTheEnd;
  private final boolean terminal = isTerminal();
  private final Thread showing;
  private int lastLength;

  private ProgressLine(PrintWriter out, Supplier<String> line, boolean keptAtTheEnd) {
    this.out = out;
    this.line = line;
    this.keptAtTheEnd = keptAtTheEnd;
    this.showing = Thread.ofVirtual().name("progress").start(this::keepShowing);
  }

  /** Leaves a terminal's line empty for what follows. */
  public static ProgressLine passing(PrintWriter out, Supplier<String> line) {
    return new ProgressLine(out, line, false);
  }

  /** Leaves its last text on a terminal; what follows starts on a new line. */
  public static ProgressLine lasting(PrintWriter out, Supplier<String> line) {
    return new ProgressLine(out, line, true);
  }

  @SuppressWarnings("SystemConsoleNull") // a runtime without the console's module returns null
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private void keepShowing() {
    try {
      while (true) {
        Thread.sleep(terminal ? REDRAW_EVERY : LINE_EVERY);
        show();
      }
    } catch (InterruptedException e) {
      // The observed work has ended.
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
      out.print(keptAtTheEnd ? System.lineSeparator() : "\r" + " ".repeat(lastLength) + "\r");
      out.flush();
    }
  }
}
