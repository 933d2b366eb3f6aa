package org.keywell.loadgen.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.drive.Latencies;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/**
 * The results of a number of requests.
 *
 * @param due how many became due; each of them is in exactly one of the seven counts that follow
 * @param refused answered with 503
 * @param failed answered with any other problem
 * @param unsent not sent, because the driver's in-flight limit was reached
 * @param abandoned unanswered when the run was interrupted
 * @param dropped all that were not signed, for any reason
 * @param preGenerated signed with a key generated ahead of time
 * @param share300 signed within 300 ms of when they were due, as a fraction of all that were due
 * @param share3000 signed within 3,000 ms of when they were due, as a fraction of all that were due
 * @param fromDue latency of those that were signed, from when they were due; null if none was
 * @param fromSend the same from when they were sent
 * @param overflows latencies that the histogram could not hold; missing in percentiles
 * @param problems how often each problem occurred
 */
public record Figures(
    int due,
    int signed,
    int refused,
    int failed,
    int timeouts,
    int connectionErrors,
    int unsent,
    int abandoned,
    int dropped,
    int preGenerated,
    double share300,
    double share3000,
    @Nullable Latency fromDue,
    @Nullable Latency fromSend,
    long overflows,
    Map<String, Integer> problems) {

  /** The thesis's limits on response times: in normal hours, and at the peak. */
  static final long NORMAL_LIMIT_NANOS = 300_000_000L;

  static final long PEAK_LIMIT_NANOS = 3_000_000_000L;

  static Figures of(List<Sample> samples) {
    List<Sample> signed = samples.stream().filter(Sample::isSigned).toList();
    List<Long> fromDue = nanos(signed, Sample::latencyFromDueNanos);
    return new Figures(
        samples.size(),
        signed.size(),
        count(samples, Outcome.Kind.REFUSED),
        count(samples, Outcome.Kind.FAILED),
        count(samples, Outcome.Kind.TIMED_OUT),
        count(samples, Outcome.Kind.CONNECTION_FAILED),
        count(samples, Outcome.Kind.UNSENT),
        count(samples, Outcome.Kind.ABANDONED),
        samples.size() - signed.size(),
        preGenerated(signed),
        shareWithin(fromDue, NORMAL_LIMIT_NANOS, samples.size()),
        shareWithin(fromDue, PEAK_LIMIT_NANOS, samples.size()),
        Latency.of(fromDue),
        Latency.of(nanos(signed, Sample::latencyFromSendNanos)),
        Latencies.of(fromDue).overflows(),
        problems(samples));
  }

  static List<Long> nanos(List<Sample> samples, ToLongFunction<Sample> latency) {
    return samples.stream().map(latency::applyAsLong).toList();
  }

  private static int count(List<Sample> samples, Outcome.Kind kind) {
    return (int) samples.stream().filter(s -> s.outcome().kind() == kind).count();
  }

  private static int preGenerated(List<Sample> signed) {
    return (int)
        signed.stream()
            .filter(s ->
                s.outcome() instanceof Outcome.Signed(var response, _)
                    && response.preGeneratedKeyPair())
            .count();
  }

  private static double shareWithin(List<Long> nanos, long limitNanos, int of) {
    return of == 0 ? 0 : (double) nanos.stream().filter(n -> n <= limitNanos).count() / of;
  }

  private static Map<String, Integer> problems(List<Sample> samples) {
    Map<String, Integer> problems = new TreeMap<>();
    for (Sample sample : samples) {
      String problem = sample.outcome().problem();
      if (!problem.isEmpty()) {
        problems.merge(problem, 1, Integer::sum);
      }
    }
    return problems;
  }
}
