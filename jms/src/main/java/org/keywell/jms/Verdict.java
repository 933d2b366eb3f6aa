package org.keywell.jms;

/** What becomes of a request for now. */
sealed interface Verdict {

  /** Its caller is told the end of it. */
  record Answered(Answer answer) implements Verdict {}

  /** It goes back to the broker, unanswered: it may be signed later, here or elsewhere. */
  record NotNow() implements Verdict {}
}
