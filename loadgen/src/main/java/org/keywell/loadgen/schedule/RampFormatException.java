package org.keywell.loadgen.schedule;

/** A ramp's description does not have the expected form; the message names the line, from 1. */
public final class RampFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  public RampFormatException(int line, String problem) {
    super("line " + line + ": " + problem);
  }
}
