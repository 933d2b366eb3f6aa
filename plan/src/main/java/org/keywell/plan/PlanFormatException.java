package org.keywell.plan;

/** A file does not have the expected form; the message says where and what, without its name. */
public final class PlanFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  public PlanFormatException(String problem) {
    super(problem);
  }
}
