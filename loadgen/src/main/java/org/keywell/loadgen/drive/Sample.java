package org.keywell.loadgen.drive;

/**
 * The result of one request. Times are nanoseconds from the run's start.
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

  /** Returns the time from due to end: what an independently arriving caller experiences. */
  public long latencyFromDueNanos() {
    return answeredNanos - dueNanos;
  }

  /** Returns the time from sent to end, for which only the service is responsible. */
  public long latencyFromSendNanos() {
    return answeredNanos - sentNanos;
  }

  /** Returns how late the driver itself was. */
  public long lateNanos() {
    return sentNanos - dueNanos;
  }
}
