package org.keywell.bench.parts;

import java.io.IOException;
import java.util.List;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.report.Latency;
import org.keywell.loadgen.report.RunFigures;
import org.keywell.loadgen.report.StageFigures;
import org.keywell.loadgen.schedule.Schedule;

/**
 * One round at a steady pace.
 *
 * @param latency from when requests were due, so a driver's lateness counts
 * @param stages where the time goes
 * @param generated keys generated meanwhile
 */
record SteadyRound(Latency latency, List<StageFigures> stages, long generated) {

  /**
   * Evaluates the samples of a schedule.
   *
   * @throws IOException if no request was signed
   */
  static SteadyRound of(Schedule schedule, List<Sample> samples, long generated)
      throws IOException {
    RunFigures figures = RunFigures.of(schedule, samples);
    Latency latency = figures.totals().fromDue();
    if (latency == null) {
      throw new IOException("no request was signed");
    }
    return new SteadyRound(latency, figures.stages(), generated);
  }

  /** Returns the median of a stage in milliseconds; 0 if the service does not report it. */
  double stageMillis(String stage) {
    for (StageFigures figures : stages) {
      Double p50 = figures.p50();
      if (figures.stage().equals(stage) && p50 != null) {
        return p50;
      }
    }
    return 0;
  }
}
