package org.keywell.cli;

import java.io.PrintWriter;
import java.time.Duration;
import org.keywell.dss.SigningTimes;

/** Shows how long each part of signing a document took, measured here. */
final class DocumentTimes {
  private static final String LINE = "  %-24s %12s%n";

  private DocumentTimes() {}

  static void print(PrintWriter out, SigningTimes times) {
    out.printf(LINE, "Part", "Time");
    part(out, "get the certificate", times.certified());
    part(out, "prepare the document", times.prepared());
    part(out, "get it signed", times.signed());
    part(out, "put it together", times.assembled());
    part(out, "in all", times.total());
  }

  private static void part(PrintWriter out, String name, Duration time) {
    out.printf(LINE, name, time.isZero() ? "-" : StageTable.millis(time));
  }
}
