package org.keywell.loadgen.verify;

import org.jspecify.annotations.Nullable;

/**
 * The result of checking a run's answers.
 *
 * @param mode {@code all}, {@code sample} or {@code none}
 * @param rootSha256 the trusted root's fingerprint, hexadecimal; null if nothing was checked
 * @param checked answers whose signature and chain were checked
 * @param invalid how many were wrong; includes unchecked ones without a readable certificate
 * @param firstProblem what was wrong with the first of these
 * @param distinctKeys how many different public keys all the signed answers have; as many as there
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

  /** Whether no answer was found wrong and each key signed once. */
  public boolean isClean() {
    return invalid == 0 && distinctKeys == signed;
  }
}
