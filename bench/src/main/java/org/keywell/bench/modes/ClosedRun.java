package org.keywell.bench.modes;

import java.util.List;
import java.util.stream.Stream;
import org.keywell.loadgen.drive.Latencies;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/**
 * Results of requests in a closed loop.
 *
 * @param elapsedNanos from the first request to the last answer
 */
public record ClosedRun(List<Sample> samples, long elapsedNanos) {

  /** Creates the results from a run's samples. */
  public static ClosedRun of(List<Sample> samples) {
    return new ClosedRun(
        List.copyOf(samples), samples.stream().mapToLong(Sample::answeredNanos).max().orElse(0));
  }

  /** Combines runs as if they had followed each other. */
  static ClosedRun together(List<ClosedRun> runs) {
    return new ClosedRun(
        runs.stream().flatMap(run -> run.samples().stream()).toList(),
        runs.stream().mapToLong(ClosedRun::elapsedNanos).sum());
  }

  private Stream<Sample> signedOnes() {
    return samples.stream().filter(Sample::isSigned);
  }

  public int signed() {
    return (int) signedOnes().count();
  }

  /** Returns how many keys were generated ahead of time. */
  public int preGenerated() {
    return (int)
        signedOnes()
            .filter(sample ->
                sample.outcome() instanceof Outcome.Signed signed
                    && signed.response().preGeneratedKeyPair())
            .count();
  }

  /** Returns the problem of the first request that was not signed; empty if all were signed. */
  public String firstProblem() {
    return samples.stream()
        .filter(sample -> !sample.isSigned())
        .map(sample ->
            sample.outcome().problem().isEmpty()
                ? sample.outcome().kind().label()
                : sample.outcome().problem())
        .findFirst()
        .orElse("");
  }

  public double perSecond() {
    return elapsedNanos == 0 ? 0 : signed() * 1e9 / elapsedNanos;
  }

  public double meanMillis() {
    return signedOnes().mapToLong(Sample::latencyFromSendNanos).average().orElse(0) / 1e6;
  }

  /** Returns the latency that {@code percent} of signed requests do not exceed; 0 without any. */
  public double percentileMillis(double percent) {
    return Latencies.of(signedOnes().map(Sample::latencyFromSendNanos).toList())
        .percentileMillis(percent);
  }
}
