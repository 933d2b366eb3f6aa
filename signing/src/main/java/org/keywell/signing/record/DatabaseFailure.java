package org.keywell.signing.record;

/**
 * A transaction that failed because of the database, not because of what it wrote.
 *
 * @param atNanos when, by {@link System#nanoTime}
 * @param cause without personal data
 */
public record DatabaseFailure(long atNanos, String cause) {}
