package org.keywell.keypool;

/**
 * The loaded tier of one kind of key at one moment.
 *
 * @param loaded keys ready to be leased
 * @param leased keys on lease
 */
public record PoolDepth(int loaded, int leased) {}
