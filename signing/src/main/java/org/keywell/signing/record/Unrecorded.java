package org.keywell.signing.record;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request that nobody works on but that may be on record as unfinished.
 *
 * @param keyId the pool row of the key it spent; null if none, or one generated on the fly
 */
record Unrecorded(UUID requestId, @Nullable Long keyId) {}
