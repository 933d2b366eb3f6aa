package org.keywell.signing.pool;

/**
 * How deep the pool of one kind of key is, and its trend.
 *
 * @param stored keys in the store that this instance can claim
 * @param emptySeconds until both tiers are empty at the current drain rate: 0 if they are, infinite
 *     if they do not drain
 * @param fullSeconds until the stored tier is full at the current fill rate: 0 if it is, infinite
 *     if it does not fill
 */
public record Depth(long stored, double emptySeconds, double fullSeconds) {}
