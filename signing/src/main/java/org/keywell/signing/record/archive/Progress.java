package org.keywell.signing.record.archive;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Tells how far long work is, at most once in two seconds. Not thread-safe. */
public final class Progress {

  private static final long EVERY_NANOS = 2_000_000_000L;

  private final Consumer<String> lines;
  private final LongSupplier nanoClock;
  private long nextNanos;

  /**
   * @param lines receives each line
   */
  public Progress(Consumer<String> lines, LongSupplier nanoClock) {
    this.lines = lines;
    this.nanoClock = nanoClock;
    this.nextNanos = nanoClock.getAsLong() + EVERY_NANOS;
  }

  void reached(String what, String things, long done, long all) {
    if (nanoClock.getAsLong() - nextNanos >= 0) {
      nextNanos = nanoClock.getAsLong() + EVERY_NANOS;
      tell(String.format(Locale.ROOT, "%s: %,d of %,d %s", what, done, all, things));
    }
  }

  void tell(String line) {
    lines.accept(line);
  }
}
