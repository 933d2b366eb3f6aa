package org.keywell.loadgen.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.keywell.cli.options.ServerOptions;
import org.keywell.loadgen.report.Requirement;
import org.keywell.loadgen.schedule.Schedule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Replays a ramp of request rates. */
@Command(
    name = "ramp",
    description = {
      "Sends requests at rising and falling rates, each when it is due, whether or not earlier ones"
          + " have been answered.",
      "Without options: Table 4-1 of the thesis as printed, 2,200 requests in 553 s."
    },
    sortOptions = false)
final class RampCommand implements Callable<Integer> {
  static final Duration DEADLINE = Duration.ofSeconds(60);

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Mixin private final RampOptions ramp = new RampOptions();

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Send N unmeasured requests before the run, 0 to 10000; each takes a key; default:"
              + " ${DEFAULT-VALUE}.")
  private int warmUp;

  @Mixin private final LoadOptions options = new LoadOptions();

  @Option(
      names = "--anyway",
      description =
          "Continue even if the service has fewer keys than the run has requests: those without a"
              + " key are refused, or wait for one.")
  private boolean anyway;

  @Option(
      names = "--require",
      paramLabel = "CONDITION",
      description =
          "Exit with 3 unless the run meets this, such as 'p99<300ms' or 'dropped=0'; may be"
              + " repeated. Figures: p50, p90, p99, p999, max, mean (ms or s, from when requests"
              + " were due); dropped, refused, failed, timeouts, signed, pregenerated (a number, or"
              + " %% of those due); share300, share3000 (%%).")
  private List<String> require = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    options.check();
    Schedule schedule = ramp.schedule();
    WarmUp.check(warmUp);
    RunName name = RunName.now("ramp");
    RunPlan plan =
        new RunPlan(
            "ramp",
            schedule,
            new RequestForm(options.keySpec(), options.deadline(DEADLINE), options.testId(name)),
            warmUp,
            LoadRun.POOL_INTERVAL,
            List.of(),
            Requirements.parse(require, Requirement::parse),
            options.out(name));
    LoadRun run = new LoadRun(server, options, spec.commandLine().getOut());
    new KeyDemand(options.keySpec(), schedule.requests() + warmUp)
        .requireOf(run.lookAtService(), anyway);
    try (Interruption interruption = new Interruption()) {
      return run.make(plan, interruption).exitCode();
    }
  }
}
