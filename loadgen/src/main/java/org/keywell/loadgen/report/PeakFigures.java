package org.keywell.loadgen.report;

import java.util.List;
import java.util.Optional;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;

/**
 * The time around the highest rate: the consecutive steps, including the highest one, whose rate is
 * at least half of the highest. In the thesis's Table 4-1 these are the steps of 50, 100 and 50
 * requests per second.
 *
 * @param from the peak's start, in seconds from the run's start
 * @param to its end
 * @param due the mean rate that was due
 * @param answers signed answers in this time, whenever their requests were due, and after it until
 *     the last request that was due in it had its own: the service is as busy until then
 * @param perSecond signed answers per second, between the first and the last one of them, so that
 *     for three signatures in two seconds it does not matter whether a fourth just slips in
 */
public record PeakFigures(double from, double to, double due, int answers, double perSecond) {

  /** Returns empty if the run ended before its peak did. */
  static Optional<PeakFigures> of(Schedule schedule, List<Sample> samples) {
    int highest = 0;
    for (int i = 1; i < schedule.steps().size(); i++) {
      if (rate(schedule, i) > rate(schedule, highest)) {
        highest = i;
      }
    }
    double least = rate(schedule, highest) / 2 - 1e-9;
    int first = highest;
    while (first > 0 && rate(schedule, first - 1) >= least) {
      first--;
    }
    int last = highest;
    while (last + 1 < schedule.steps().size() && rate(schedule, last + 1) >= least) {
      last++;
    }
    if (samples.size() < schedule.steps().get(last).to()) {
      return Optional.empty();
    }
    long from = schedule.startNanos(first);
    long to = schedule.startNanos(last) + schedule.steps().get(last).durationNanos();
    int due = schedule.steps().get(last).to() - schedule.steps().get(first).from() + 1;
    return Optional.of(of(samples, from, to, due));
  }

  private static double rate(Schedule schedule, int step) {
    return schedule.steps().get(step).perSecond();
  }

  private static PeakFigures of(List<Sample> samples, long from, long to, int due) {
    long until =
        samples.stream()
            .filter(sample -> sample.isSigned() && sample.dueNanos() >= from)
            .filter(sample -> sample.dueNanos() < to)
            .mapToLong(sample -> sample.answeredNanos() + 1)
            .reduce(to, Math::max);
    long[] answers =
        samples.stream()
            .filter(Sample::isSigned)
            .mapToLong(Sample::answeredNanos)
            .filter(nanos -> nanos >= from && nanos < until)
            .sorted()
            .toArray();
    double seconds = (to - from) / 1e9;
    double perSecond =
        answers.length < 2 || answers[answers.length - 1] == answers[0]
            ? answers.length / seconds
            : (answers.length - 1) * 1e9 / (answers[answers.length - 1] - answers[0]);
    return new PeakFigures(from / 1e9, to / 1e9, due / seconds, answers.length, perSecond);
  }
}
