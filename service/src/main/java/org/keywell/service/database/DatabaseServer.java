package org.keywell.service.database;

import java.io.IOException;

/** The PostgreSQL that this process uses, and as much of it as the process has to stop again. */
public interface DatabaseServer extends AutoCloseable {

  DatabaseAccess access();

  /** Tells those who find the data directory taken where the service is that has it. */
  default void announce(String url) {}

  /**
   * Has an action run if the server ends although nobody stops it; the action must not block. Only
   * a server that this process owns is watched.
   */
  default void onUnexpectedEnd(Runnable action) {}

  /** Stops what this process has started, and nothing else. */
  @Override
  default void close() throws IOException {}
}
