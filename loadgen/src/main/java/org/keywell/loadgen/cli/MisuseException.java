package org.keywell.loadgen.cli;

/** The program was asked for something that it cannot do; the message says what (exit code 2). */
public final class MisuseException extends Exception {
  private static final long serialVersionUID = 1L;

  public MisuseException(String message) {
    super(message);
  }
}
