package org.keywell.cli;

import java.io.PrintWriter;

/** Shows which key has signed. */
final class KeyLines {

  private KeyLines() {}

  static void print(PrintWriter out, String requestId, String algorithm, boolean madeAhead) {
    out.println("  algorithm  " + algorithm);
    out.println("  key        " + (madeAhead ? "made ahead of time" : "made for this request"));
    out.println("  request    " + requestId);
  }
}
