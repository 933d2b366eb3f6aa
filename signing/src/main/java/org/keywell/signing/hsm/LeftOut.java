package org.keywell.signing.hsm;

/**
 * Why a reachable device is not used: its PIN is refused, its token is empty or the wrong one, or
 * the CA's key in it is unusable.
 *
 * @param why one line
 * @param untilRestart whether it is not retried before the next start: a refused PIN never is, and
 *     each attempt to open a CA leaves a SunPKCS11 provider in memory
 * @param sinceNanos when that was found, by {@link System#nanoTime}
 */
public record LeftOut(String why, boolean untilRestart, long sinceNanos) {}
