package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.schedule.Step;

/**
 * The results of a step of the schedule. The counts are of the requests that were due in the step.
 *
 * @param number from 1
 * @param from its first request
 * @param to its last request
 * @param inferred whether the step is not in the schedule's source but inferred from it
 * @param startSeconds when it started, from the run's start
 * @param perSecondDue its rate
 * @param perSecondAchieved signed answers during the step, per second
 */
public record StepFigures(
    int number,
    int from,
    int to,
    boolean inferred,
    double startSeconds,
    double durationSeconds,
    double perSecondDue,
    double perSecondAchieved,
    Figures figures) {

  /** Returns the steps with at least one sample. */
  static List<StepFigures> of(Schedule schedule, List<Sample> samples) {
    List<StepFigures> all = new ArrayList<>();
    for (int i = 0; i < schedule.steps().size(); i++) {
      Step step = schedule.steps().get(i);
      if (step.from() > samples.size()) {
        break;
      }
      long start = schedule.startNanos(i);
      List<Sample> own = samples.subList(step.from() - 1, Math.min(step.to(), samples.size()));
      all.add(
          new StepFigures(
              i + 1,
              step.from(),
              step.to(),
              step.inferred(),
              start / 1e9,
              step.durationNanos() / 1e9,
              step.perSecond(),
              signedBetween(samples, start, start + step.durationNanos())
                  / (step.durationNanos() / 1e9),
              Figures.of(own)));
    }
    return all;
  }

  static long signedBetween(List<Sample> samples, long fromNanos, long toNanos) {
    return samples.stream()
        .filter(s -> s.isSigned() && s.answeredNanos() >= fromNanos && s.answeredNanos() < toNanos)
        .count();
  }
}
