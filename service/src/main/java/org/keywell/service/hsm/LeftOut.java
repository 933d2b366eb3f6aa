package org.keywell.service.hsm;

/**
 * Why a device takes no part although it can be reached: its PIN is refused, its token is empty or
 * another one, or the CA's key in it is not fit for use.
 *
 * @param why one line
 * @param untilRestart whether it is not tried again before the next start: a PIN that was refused
 *     never is, and each attempt to open a CA leaves a provider of SunPKCS11 in memory
 * @param sinceNanos when that was found, by {@link System#nanoTime}
 */
public record LeftOut(String why, boolean untilRestart, long sinceNanos) {}
