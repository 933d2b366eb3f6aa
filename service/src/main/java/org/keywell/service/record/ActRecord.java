package org.keywell.service.record;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is on record of an act in two calls, and of no other.
 *
 * @param instance the one that has its key, or had it
 * @param expires when the key is destroyed if it has not signed; null if it was not opened
 * @param digests what it signs; empty while that is not known
 */
public record ActRecord(String instance, @Nullable Instant expires, List<byte[]> digests) {}
