package org.keywell.signing.database;

import java.io.IOException;

/** The PostgreSQL server in use, including what this process has to stop again. */
public interface DatabaseServer extends AutoCloseable {

  DatabaseAccess access();

  /** Announces the service's URL to those who find the data directory taken. */
  default void announce(String url) {}

  /**
   * Runs an action if the server ends without being stopped; the action must not block. Only a
   * server that this process owns is watched.
   */
  default void onUnexpectedEnd(Runnable action) {}

  /** Stops only what this process started. */
  @Override
  default void close() throws IOException {}
}
