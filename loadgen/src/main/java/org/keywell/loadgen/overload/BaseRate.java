package org.keywell.loadgen.overload;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/**
 * BR, the highest rate at which the queue does not grow (thesis section 4.5.1). The thesis tries
 * rates until the queue grows. A queue grows exactly when requests arrive faster than they are
 * processed, so the answer rate of a service that always has a next request is the same number,
 * found in one trial.
 *
 * @param requests how many the trial sent
 * @param callers how many of them at a time
 * @param answers how many signed answers were counted, without those at both ends of the trial
 * @param seconds from the first counted answer to the last
 * @param perSecond BR
 * @param busy how many requests the service worked on at a time, on average; about 1 with one
 *     handler thread that is always busy
 */
public record BaseRate(
    int requests, int callers, int answers, double seconds, double perSecond, double busy) {

  /** A handler that works less than this had to wait for requests: the result is too low. */
  private static final double ALWAYS_BUSY = 0.9;

  private static final int FEWEST_ANSWERS = 10;

  /**
   * Estimates BR from the answers of callers that each wait for an answer before they ask again.
   * Leaves out as many answers as there are callers at the start, while the queue builds up, and at
   * the end.
   *
   * @return empty if too few requests were signed for that
   */
  public static Optional<BaseRate> of(List<Sample> samples, int callers) {
    List<Sample> signed =
        samples.stream()
            .filter(Sample::isSigned)
            .sorted(Comparator.comparingLong(Sample::answeredNanos))
            .toList();
    if (signed.size() < 2 * callers + FEWEST_ANSWERS) {
      return Optional.empty();
    }
    List<Sample> counted = signed.subList(callers, signed.size() - callers);
    double seconds = (counted.getLast().answeredNanos() - counted.getFirst().answeredNanos()) / 1e9;
    if (!(seconds > 0)) {
      return Optional.empty();
    }
    double perSecond = (counted.size() - 1) / seconds;
    double processSeconds =
        counted.stream().mapToLong(BaseRate::processMicros).average().orElseThrow() / 1e6;
    return Optional.of(
        new BaseRate(
            samples.size(),
            callers,
            counted.size(),
            seconds,
            perSecond,
            perSecond * processSeconds));
  }

  private static long processMicros(Sample sample) {
    return sample.outcome() instanceof Outcome.Signed(SignResponse response, _)
        ? response.processTimeMicros()
        : 0;
  }

  /** Returns Si = 1 / BR, in ms; KP is 0 with keys that are already loaded. */
  @JsonProperty
  public double signingMillis() {
    return 1_000 / perSecond;
  }

  /** Whether the service had to wait for requests, so that the real BR may be higher. */
  @JsonProperty
  public boolean mayBeTooLow() {
    return busy < ALWAYS_BUSY;
  }
}
