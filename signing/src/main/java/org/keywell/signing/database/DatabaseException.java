package org.keywell.signing.database;

import org.keywell.keypool.worker.Outage;

/** Thrown if the database fails; whether a write took effect is unknown. */
public final class DatabaseException extends RuntimeException implements Outage {
  private static final long serialVersionUID = 1L;

  public DatabaseException(String message, Throwable cause) {
    super(message, cause);
  }
}
