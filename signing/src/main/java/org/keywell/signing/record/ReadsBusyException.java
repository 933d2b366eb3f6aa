package org.keywell.signing.record;

/** All connections for reading records were in use for as long as a read waits. */
public final class ReadsBusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReadsBusyException(Throwable cause) {
    super("all connections for reading are taken", cause);
  }
}
