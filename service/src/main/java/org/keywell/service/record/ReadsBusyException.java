package org.keywell.service.record;

/** Others had all connections for reading records, for as long as a read waits for one. */
public final class ReadsBusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReadsBusyException(Throwable cause) {
    super("all connections for reading are taken", cause);
  }
}
