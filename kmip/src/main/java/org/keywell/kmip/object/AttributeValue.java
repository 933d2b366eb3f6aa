package org.keywell.kmip.object;

import org.jspecify.annotations.Nullable;
import org.keywell.kmip.ttlv.Value;

/**
 * An attribute with a value, in the form of no version.
 *
 * @param index which of several values; null if the message names none, as in 2.x
 */
public record AttributeValue(AttributeName name, @Nullable Integer index, Value value) {}
