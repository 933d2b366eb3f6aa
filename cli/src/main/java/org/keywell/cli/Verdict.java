package org.keywell.cli;

import java.io.PrintWriter;
import java.security.cert.X509Certificate;
import java.util.List;
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
    if (verified.hint() != null) {
      out.println("  note: " + verified.hint());
    }
  }

  /**
   * Tells of earlier signatures whose authorities are unknown, which say nothing of a new one.
   *
   * @param signer of the new signature
   * @throws CommandFailedException unless the new signature passed, or if another is broken
   */
  static void requirePassed(PrintWriter out, VerifiedDocument verified, X509Certificate signer)
      throws CommandFailedException {
    List<VerifiedSignature> others =
        verified.signatures().stream().filter(one -> !signer.equals(one.certificate())).toList();
    boolean passed =
        verified.signatures().stream()
            .filter(one -> !others.contains(one))
            .anyMatch(VerifiedSignature::passed);
    if (!passed || others.stream().anyMatch(one -> one.indication().equals("TOTAL_FAILED"))) {
      out.flush();
      requirePassed(verified);
    }
    long unknown = others.stream().filter(one -> !one.passed()).count();
    if (unknown > 0) {
      out.println(
          "  earlier signatures that these roots do not prove: %d (--root FILE with more of them)"
              .formatted(unknown));
    }
    out.flush();
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
