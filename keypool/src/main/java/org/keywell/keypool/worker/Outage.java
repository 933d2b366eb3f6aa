package org.keywell.keypool.worker;

/**
 * An exception that says that a device or the database fails. It is expected to pass: a {@link
 * Worker} reports it in one line and tries again.
 */
public interface Outage {}
