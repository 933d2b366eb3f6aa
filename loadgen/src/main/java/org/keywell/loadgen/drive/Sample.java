package org.keywell.loadgen.drive;

/**
 * What became of one request. Times are nanoseconds from the run's start.
 *
 * @param request its number, from 1
 * @param dueNanos when it was to be sent
 * @param sentNanos when it was sent; -1 if it was not
 * @param answeredNanos when its end was known; -1 if it was not sent or was abandoned
 */
public record Sample(
    int request, long dueNanos, long sentNanos, long answeredNanos, Outcome outcome) {

  public static final long NEVER = -1;

  public boolean isSigned() {
    return outcome.kind() == Outcome.Kind.SIGNED;
  }

  /** From when the request was due to its end: what a caller feels who comes when they please. */
  public long latencyFromDueNanos() {
    return answeredNanos - dueNanos;
  }

  /** From when the request was sent to its end: what the service alone is answerable for. */
  public long latencyFromSendNanos() {
    return answeredNanos - sentNanos;
  }

  /** How late the driver itself was. */
  public long lateNanos() {
    return sentNanos - dueNanos;
  }
}
