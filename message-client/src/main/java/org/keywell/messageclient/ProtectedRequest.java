package org.keywell.messageclient;

/**
 * A request to send.
 *
 * @param id its {@code Message-ID}, which the answer repeats; keep it until the answer is there
 * @param message the body of a message of bytes
 */
public record ProtectedRequest(String id, byte[] message) {}
