package org.keywell.loadgen.drive;

import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;

/** How a due request ended. Each kind is counted separately. */
public sealed interface Outcome {

  /** The kinds of outcome, with their names in files and on screens. */
  enum Kind {
    SIGNED("signed"),
    REFUSED("refused"),
    FAILED("failed"),
    TIMED_OUT("timeout"),
    CONNECTION_FAILED("connection error"),
    UNSENT("unsent"),
    ABANDONED("abandoned");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  default Kind kind() {
    return switch (this) {
      case Signed _ -> Kind.SIGNED;
      case Refused _ -> Kind.REFUSED;
      case Failed _ -> Kind.FAILED;
      case TimedOut _ -> Kind.TIMED_OUT;
      case ConnectionFailed _ -> Kind.CONNECTION_FAILED;
      case Unsent _ -> Kind.UNSENT;
      case Abandoned _ -> Kind.ABANDONED;
    };
  }

  /** Returns what went wrong, as one of a few short texts; empty if nothing did. */
  default String problem() {
    return "";
  }

  /** The service answered with a signature; whether it is right is checked later. */
  record Signed(SignResponse response, CommitTimes commits) implements Outcome {}

  /** The service turned the request away (503): a limit was reached or a part is unavailable. */
  record Refused(String problem) implements Outcome {}

  /** The service, or something in its place, answered with any other problem. */
  record Failed(String problem) implements Outcome {}

  /** The request was sent, and no answer came within the driver's time limit. */
  record TimedOut() implements Outcome {}

  /** There was no connection, or it broke before the answer was complete. */
  record ConnectionFailed(String problem) implements Outcome {}

  /** The driver's in-flight limit was reached, so it did not send this one. */
  record Unsent() implements Outcome {}

  /** The run was interrupted before the answer came. */
  record Abandoned() implements Outcome {}
}
