package org.keywell.signing.record.archive;

/** Records cannot be archived; those of the month in question are still in the database. */
public final class ArchiveFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ArchiveFailedException(String message) {
    super(message);
  }

  ArchiveFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
