package org.keywell.jms;

import org.jspecify.annotations.Nullable;

/**
 * Where an answer goes, and how.
 *
 * @param queue one that may have answers to the sender
 * @param correlationId the request's own, or else its message id
 * @param priority the request's, 0 to 9
 * @param envelope null: as text, for the broker to protect
 */
record Reply(String queue, String correlationId, int priority, @Nullable Envelope envelope) {}
