package org.keywell.keypool.store;

import org.keywell.keypool.worker.Outage;

/** Thrown if the key store cannot be read or written; whether a write took effect is unknown. */
public final class StoreException extends RuntimeException implements Outage {
  private static final long serialVersionUID = 1L;

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
