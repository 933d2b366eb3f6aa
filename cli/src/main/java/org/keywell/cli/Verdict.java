package org.keywell.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.keywell.dss.VerifiedDocument;
import org.keywell.dss.VerifiedSignature;

/** Shows what EU DSS says about a signed document. */
final class Verdict {

  private Verdict() {}

  static void print(PrintWriter out, VerifiedDocument verified) {
    for (VerifiedSignature one : verified.signatures()) {
      out.println(
          "EU DSS says %s%s: %s by %s"
              .formatted(
                  one.indication(),
                  one.subIndication() == null ? "" : " (" + one.subIndication() + ")",
                  one.level(),
                  Objects.requireNonNullElse(one.signer(), "nobody that it knows")));
      one.errors().forEach(error -> out.println("  " + error));
    }
  }

  /**
   * @throws CommandFailedException unless all signatures passed
   */
  static void requirePassed(VerifiedDocument verified) throws CommandFailedException {
    if (!verified.passed()) {
      throw new CommandFailedException(
          "EU DSS does not pass the signed document"
              + (verified.unreadable() == null ? "" : ": " + verified.unreadable()));
    }
  }
}
