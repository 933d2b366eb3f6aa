package org.keywell.kmip.message;

import org.jspecify.annotations.Nullable;
import org.keywell.kmip.ttlv.Value;

/**
 * An operation that is asked for.
 *
 * @param operation a value of the enumeration {@code Operation}, known or not
 * @param id what its response repeats, null if there is none
 * @param ephemeral whether the client wants no data back, since KMIP 2.0
 */
public record RequestItem(
    int operation, Value.@Nullable Bytes id, boolean ephemeral, Value.Structure payload) {}
