package org.keywell.service.record;

/**
 * A transaction that failed, not for what was to be written, but because the database fails.
 *
 * @param atNanos when, by {@link System#nanoTime}
 * @param cause without personal data
 */
public record DatabaseFailure(long atNanos, String cause) {}
