package org.keywell.service.record;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request that may stand as received and that nobody works on.
 *
 * @param keyId the pool row whose key it spent; null if it spent none, or one made on the fly
 */
record Unrecorded(UUID requestId, @Nullable Long keyId) {}
