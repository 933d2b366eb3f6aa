package org.keywell.loadgen.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.verify.Verification;
import org.keywell.loadgen.watch.PoolPoint;

/**
 * All data of a run, as stored in {@code run.json}. Everything in {@code report.html} comes from
 * here.
 *
 * @param format the version of this form
 * @param command such as {@code ramp}
 * @param testId the experiment that the requests name; null if none
 * @param schedule the schedule's name
 * @param timeScale the factor by which its times differ from the source's
 * @param requestsPlanned how many requests the schedule has; fewer became due if interrupted
 * @param startedAt RFC 3339
 * @param durationSeconds from the first request to the last answer
 * @param simulatedProfile the device whose timing the service imitates; null if times are real
 * @param service the service's {@code GET /pool} before the run; null if it gave none
 * @param serviceSettings what the service was started with, if the launcher started it
 * @param peak results around the highest rate; null if the run did not get past it
 * @param poolMissed how often the service did not answer the query for its pool
 */
public record RunDocument(
    int format,
    String command,
    @Nullable String testId,
    String schedule,
    double timeScale,
    int requestsPlanned,
    String startedAt,
    double durationSeconds,
    boolean interrupted,
    @Nullable String simulatedProfile,
    RunEnvironment environment,
    DriverSettings driver,
    @Nullable PoolStatus service,
    List<String> serviceSettings,
    Figures totals,
    List<StepFigures> steps,
    List<StageFigures> stages,
    @Nullable PeakFigures peak,
    List<RatePoint> rates,
    List<PoolPoint> pool,
    int poolMissed,
    Verification verification,
    List<RequirementResult> requirements) {

  public static final int FORMAT = 3;

  /**
   * In format 2, the stage {@code record} is what {@code finish} is here, and medians are missing.
   */
  static final int OLDEST_FORMAT = 2;

  /** Whether there is a signature to report on. */
  public boolean signedSome() {
    return totals.signed() > 0;
  }
}
