package org.keywell.signing.hsm;

/**
 * Why a reachable device is not used: its PIN is refused, its token is empty or the wrong one, or
 * the CA's key in it is unusable.
 *
 * @param why one line
 * @param untilRestart whether it is not retried before the next start: a refused PIN never is, nor
 *     is what only a command mends, such as a missing key of the CA
 * @param sinceNanos when that was found, by {@link System#nanoTime}
 */
public record LeftOut(String why, boolean untilRestart, long sinceNanos) {}
