package org.keywell.loadgen.verify;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/** Checks a run's answers after the run, so that checking does not affect the measurement. */
public final class Verifier {
  private final VerifyMode mode;
  private final NumberedContent content;
  private final X509Certificate root;

  public Verifier(VerifyMode mode, NumberedContent content, X509Certificate root) {
    this.mode = mode;
    this.content = content;
    this.root = root;
  }

  /** Checks what the mode says; counts the distinct public keys of all signed answers. */
  public Verification verify(List<Sample> samples) throws GeneralSecurityException {
    AnswerCheck check = new AnswerCheck(root);
    Set<String> keys = new HashSet<>();
    int signed = 0;
    int checked = 0;
    int invalid = 0;
    String firstProblem = null;
    for (Sample sample : samples) {
      if (!(sample.outcome() instanceof Outcome.Signed(SignResponse response, _))) {
        continue;
      }
      boolean included = mode.includes(signed);
      signed++;
      checked += included ? 1 : 0;
      String problem = problemOf(check, keys, sample.request(), response, included);
      if (problem != null) {
        invalid++;
        firstProblem =
            firstProblem == null ? "request " + sample.request() + ": " + problem : firstProblem;
      }
    }
    String fingerprint = mode == VerifyMode.NONE ? null : fingerprint(root.getEncoded());
    return new Verification(
        mode.toString(), fingerprint, checked, invalid, firstProblem, signed, keys.size());
  }

  private @Nullable String problemOf(
      AnswerCheck check, Set<String> keys, int request, SignResponse response, boolean included) {
    try {
      keys.add(fingerprint(check.leafOf(response).getPublicKey().getEncoded()));
      if (included) {
        check.check(content.of(request), response);
      }
      return null;
    } catch (GeneralSecurityException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String fingerprint(byte[] encoded) throws GeneralSecurityException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(encoded));
  }
}
