package org.keywell.protection;

/**
 * What is protected.
 *
 * @param body JSON, as it was sent, byte for byte; not copied
 */
public record Content(Header header, byte[] body) {}
