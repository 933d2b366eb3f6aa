package org.keywell.loadgen.verify;

import org.jspecify.annotations.Nullable;

/**
 * What the check of a run's answers came to.
 *
 * @param mode {@code all}, {@code sample} or {@code none}
 * @param rootSha256 the trusted root's fingerprint, hexadecimal; null if nothing was checked
 * @param checked answers whose signature and chain were checked
 * @param invalid those of them that were wrong
 * @param firstProblem what was wrong with the first of these
 * @param distinctKeys how many different public keys all the signed answers hold; as many as there
 *     are answers if each key signed once
 */
public record Verification(
    String mode,
    @Nullable String rootSha256,
    int checked,
    int invalid,
    @Nullable String firstProblem,
    int signed,
    int distinctKeys) {

  /** Whether nothing that was looked at is wrong. */
  public boolean isClean() {
    return invalid == 0 && distinctKeys == signed;
  }
}
