package org.keywell.loadgen.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.report.DriverSettings.NullRate;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.verify.Verification;

/** Documents of runs, with what a test needs to be different. */
final class Runs {

  private Runs() {}

  static RunDocument of(
      Schedule schedule,
      List<Sample> samples,
      Verification verification,
      @Nullable String profile,
      @Nullable String mode) {
    RunFigures figures = RunFigures.of(schedule, samples);
    return new RunDocument(
        RunDocument.FORMAT,
        "ramp",
        "ramp-1",
        schedule.name(),
        1,
        schedule.requests(),
        "2026-01-02T03:04:05Z",
        figures.durationSeconds(),
        samples.size() < schedule.requests(),
        profile,
        new RunEnvironment("A CPU", 2, "A JDK", "An OS", 0.5, "abc", true),
        new DriverSettings(
            "http://x",
            "RSA-2048",
            1,
            2,
            3,
            4,
            20,
            figures.sendLateness(),
            new NullRate(200, true, 1)),
        mode == null ? null : new PoolStatus(mode, new PoolStatus.Queue(0, 50), List.of(), profile),
        List.of("KEYWELL_SIGN_QUEUELIMIT=50"),
        figures.totals(),
        figures.steps(),
        figures.stages(),
        figures.peak(),
        figures.rates(),
        List.of(),
        1,
        verification,
        List.of(new RequirementResult("dropped=0", false, "3")));
  }
}
