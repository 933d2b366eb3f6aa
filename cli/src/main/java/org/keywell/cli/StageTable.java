package org.keywell.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.client.SignResponse;
import org.keywell.client.SignResponse.Timestamps;

/** Shows how long each stage of a request took. */
final class StageTable {
  private static final String LINE = "  %-24s %12s%n";

  private StageTable() {}

  static void print(PrintWriter out, SignResponse response, Duration roundTrip) {
    Timestamps at = response.timestamps();
    out.printf(LINE, "Stage", "Time");
    stage(out, "wait in the queue", at.requestReceived(), at.requestStartToProcess());
    stage(out, "take a key pair", at.requestStartToProcess(), at.requestGotKeyPair());
    stage(out, "sign", at.requestGotKeyPair(), at.signed());
    stage(out, "certify", at.signed(), at.certified());
    stage(out, "destroy the key", at.certified(), at.keyDestroyed());
    stage(out, "finish", at.keyDestroyed(), at.requestFinished());
    stage(out, "in the service", at.requestReceived(), at.requestFinished());
    out.printf(LINE, "until this answer", millis(roundTrip));
  }

  private static void stage(
      PrintWriter out, String name, @Nullable Instant from, @Nullable Instant to) {
    out.printf(LINE, name, from == null || to == null ? "-" : millis(Duration.between(from, to)));
  }

  /** Formats milliseconds to three decimals: short stages take less than one. */
  static String millis(Duration duration) {
    return String.format(Locale.ROOT, "%.3f ms", duration.toNanos() / 1e6);
  }
}
