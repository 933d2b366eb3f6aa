package org.keywell.kmip.message;

/**
 * What goes back to a client.
 *
 * @param message a well-formed response
 * @param last whether the connection must be closed after it, since the next message's beginning is
 *     in doubt
 */
public record Answer(byte[] message, boolean last) {}
