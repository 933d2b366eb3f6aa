package org.keywell.listener.http;

/**
 * What was sent is no request that is read here. The connection ends: its next bytes mean nothing.
 */
final class MalformedRequestException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;

  MalformedRequestException(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
