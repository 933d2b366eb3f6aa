package org.keywell.bench.tables.measure;

/** Thrown for a result that must not be counted, such as a request without a certificate. */
public final class ExperimentFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ExperimentFailedException(String message) {
    super(message);
  }

  ExperimentFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
