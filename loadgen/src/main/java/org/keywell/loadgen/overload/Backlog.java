package org.keywell.loadgen.overload;

import java.util.Arrays;
import java.util.List;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/**
 * How many requests the service has accepted and not answered, at any time of a run, according to
 * the samples. Requests that were turned away or never sent are in no queue.
 */
public final class Backlog {
  private final long[] sentNanos;
  private final long[] answeredNanos;

  public Backlog(List<Sample> samples) {
    List<Sample> accepted = samples.stream().filter(Backlog::isAccepted).toList();
    sentNanos = accepted.stream().mapToLong(Sample::sentNanos).sorted().toArray();
    answeredNanos =
        accepted.stream()
            .mapToLong(Sample::answeredNanos)
            .filter(nanos -> nanos != Sample.NEVER)
            .sorted()
            .toArray();
  }

  private static boolean isAccepted(Sample sample) {
    return sample.sentNanos() != Sample.NEVER && !(sample.outcome() instanceof Outcome.Refused);
  }

  /** Returns how many were sent by the given time, and answered after it or never. */
  public int at(long nanos) {
    return upTo(sentNanos, nanos) - upTo(answeredNanos, nanos);
  }

  /** Returns when the last of them was sent, from the run's start; 0 if none was. */
  public long lastSentNanos() {
    return sentNanos.length == 0 ? 0 : sentNanos[sentNanos.length - 1];
  }

  private static int upTo(long[] sorted, long nanos) {
    int index = Arrays.binarySearch(sorted, nanos);
    if (index < 0) {
      return -index - 1;
    }
    while (index < sorted.length && sorted[index] == nanos) {
      index++;
    }
    return index;
  }
}
