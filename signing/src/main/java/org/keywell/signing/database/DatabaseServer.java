package org.keywell.signing.database;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;

/** The PostgreSQL server in use, including what this process has to stop again. */
public interface DatabaseServer extends AutoCloseable {

  /** Returns how the service connects. */
  DatabaseAccess access();

  /** Returns how the owner of the tables connects, if it is another role and may be used. */
  default Optional<DatabaseAccess> owner() {
    return Optional.empty();
  }

  /** Creates what connections need. Called before they are opened, perhaps repeatedly. */
  default void prepare() throws SQLException {}

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
