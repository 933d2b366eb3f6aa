package org.keywell.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.keywell.cli.log.Findings;
import org.keywell.cli.log.LogCopy;
import org.keywell.tlog.Checkpoint;

/** Shows what was found in a log. */
final class LogReport {

  private LogReport() {}

  static void print(PrintWriter out, LogCopy log, Checkpoint checkpoint) {
    out.print(
        """
        Log        %s at %s
        Size       %d entries
        Root       %s
        """
            .formatted(checkpoint.origin(), log.place(), checkpoint.size(), checkpoint.root()));
    out.flush();
  }

  /** Returns what shows how many of a log's entries have been read. */
  static CountedProgress progress(long entries) {
    return new CountedProgress("reading the log", "entries", entries, System::nanoTime);
  }

  static String seconds(long sinceNanos) {
    Duration time = Duration.ofNanos(System.nanoTime() - sinceNanos);
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
  }

  /**
   * Requires that nothing is wrong.
   *
   * @throws CommandFailedException otherwise, after each finding is shown
   */
  static void requireSound(PrintWriter out, Findings findings) throws CommandFailedException {
    if (findings.none()) {
      return;
    }
    out.println("Damage");
    findings.named().forEach(damage -> out.println("  " + damage));
    if (findings.more() > 0) {
      out.println("  and " + findings.more() + " more");
    }
    out.flush();
    throw new CommandFailedException(
        "the log is not sound (findings: %d)".formatted(findings.named().size() + findings.more()));
  }
}
