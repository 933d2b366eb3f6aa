package org.keywell.jms;

/** The broker is not there, or not as it has to be. */
public final class BrokerException extends Exception {
  private static final long serialVersionUID = 1L;

  public BrokerException(String message, Throwable cause) {
    super(message, cause);
  }

  public BrokerException(String message) {
    super(message);
  }
}
