package org.keywell.jms;

/**
 * Where an answer goes.
 *
 * @param queue one that may have answers to the sender
 * @param correlationId the request's own, or else its message id
 * @param priority the request's, 0 to 9
 */
record Reply(String queue, String correlationId, int priority) {}
