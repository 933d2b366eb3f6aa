package org.keywell.signing.log;

/** Thrown if the stored log contradicts itself, or what it was before: somebody has altered it. */
final class LogDamagedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LogDamagedException(String message) {
    super(message);
  }
}
