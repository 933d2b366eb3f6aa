package org.keywell.jms;

/** The broker is not there, or not as it has to be. */
final class BrokerException extends Exception {
  private static final long serialVersionUID = 1L;

  BrokerException(String message, Throwable cause) {
    super(message, cause);
  }

  BrokerException(String message) {
    super(message);
  }
}
