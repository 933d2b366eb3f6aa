package org.keywell.messageclient;

/** An answer whose protection holds, but which is not the one to this request. */
public final class AnswerException extends Exception {

  /** Why the answer is refused. */
  public enum Reason {
    /** Meant for another queue. */
    OTHER_QUEUE,
    /** Answers another request, or none. */
    OTHER_REQUEST,
    /** Signed by somebody else than the service. */
    SIGNER_NOT_TRUSTED
  }

  private final Reason reason;

  AnswerException(Reason reason) {
    super(reason.toString());
    this.reason = reason;
  }

  /** Returns why the answer is refused. */
  public Reason reason() {
    return reason;
  }
}
