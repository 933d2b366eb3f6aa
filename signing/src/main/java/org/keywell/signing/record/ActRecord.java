package org.keywell.signing.record;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a record that only an act in two calls has.
 *
 * @param instance the instance that has or had its key
 * @param expires when the key is destroyed if it has not signed; null if the act was not opened
 * @param digests what it signs; empty until known
 */
public record ActRecord(String instance, @Nullable Instant expires, List<byte[]> digests) {}
