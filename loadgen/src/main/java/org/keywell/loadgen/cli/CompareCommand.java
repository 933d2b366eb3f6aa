package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.keywell.cli.options.ServerOptions;
import org.keywell.loadgen.cli.ServicePlan.Mode;
import org.keywell.loadgen.report.ComparisonDocument;
import org.keywell.loadgen.report.ComparisonRequirement;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunDocument;
import org.keywell.loadgen.report.Summary;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Replays one ramp against the traditional system and against the key pool. */
@Command(
    name = "compare",
    description = {
      "Replays one ramp against a service that generates a key for each request and against one"
          + " with the key pool, and reports both side by side.",
      "It starts and stops these services itself."
    },
    sortOptions = false)
final class CompareCommand implements Callable<Integer> {

  private static final int LONGEST_QUEUE = 100_000;

  private final Supplier<ServiceProgram> program;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final OwnServiceOptions own = new OwnServiceOptions();

  @Option(
      names = "--queue-limit",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Requests that may wait, 1 to 100000; default: ${DEFAULT-VALUE}, as in the thesis's"
              + " comparison (section 2.9.9).")
  private int queueLimit = 50;

  @Mixin private final RampOptions ramp = new RampOptions();

  @Mixin private final LoadOptions options = new LoadOptions();

  @Option(
      names = "--require",
      paramLabel = "CONDITION",
      description =
          "Exit with 3 unless this is met; may be repeated. As for ramp, on the run with the key"
              + " pool; with the prefix 'on-the-fly.', on the other ('on-the-fly.dropped>0'); or on"
              + " the ratio of the pool's throughput at the peak to the other's ('factor>20').")
  private List<String> require = new ArrayList<>();

  /**
   * Creates the command.
   *
   * @param program the service; throws {@link IllegalArgumentException} if there is none
   */
  CompareCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    Schedule schedule = ramp.schedule();
    if (queueLimit < 1 || queueLimit > LONGEST_QUEUE) {
      throw new MisuseException("--queue-limit is 1 to " + LONGEST_QUEUE);
    }
    List<ComparisonRequirement> requirements =
        Requirements.parse(require, ComparisonRequirement::parse);
    RunName name = RunName.now("compare");
    RequestForm requests =
        new RequestForm(
            options.keySpec(), options.deadline(RampCommand.DEADLINE), options.testId(name));
    int keys = schedule.requests() + own.warmUp() + ServicePlan.SPARE_KEYS;
    ServicePlan plan =
        new ServicePlan(options.keySpec(), keys, queueLimit, requests.deadline(), own.profile());
    Path folder = options.out(name);
    ReportFolder.requireEmptyOrMissing(folder);
    PrintWriter out = spec.commandLine().getOut();
    try (Interruption interruption = Interruption.of(plan.patience())) {
      OwnServices services =
          new OwnServices(
              OwnServiceOptions.program(program),
              plan,
              interruption,
              out,
              spec.commandLine().getErr());
      int filled = services.fill();
      if (filled != ExitCodes.DONE) {
        return filled;
      }
      services.step("The traditional system: a key made for each request");
      drive(services, Mode.ON_THE_FLY, schedule, requests, folder, interruption);
      services.step("The key pool: %d keys are loaded into the HSM first".formatted(keys));
      drive(services, Mode.POOLED, schedule, requests, folder, interruption);
      services.step("Both side by side");
      return report(folder, requirements, out);
    }
  }

  /** Requirements are evaluated after both runs. */
  private void drive(
      OwnServices services,
      Mode mode,
      Schedule schedule,
      RequestForm requests,
      Path folder,
      Interruption interruption)
      throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    RunPlan run =
        new RunPlan(
            "compare, " + mode,
            schedule,
            requests.part(mode.toString()),
            own.warmUp(),
            LoadRun.POOL_INTERVAL,
            services.told(mode),
            List.of(),
            folder.resolve(mode.toString()));
    var _ =
        services.during(
            "compare-" + mode,
            mode,
            service ->
                new LoadRun(ServerOptions.to(service.url().toString()), options, out)
                    .make(run, interruption));
  }

  private static int report(Path folder, List<ComparisonRequirement> requirements, PrintWriter out)
      throws IOException {
    ComparisonDocument both =
        ComparisonDocument.of(run(folder, Mode.ON_THE_FLY), run(folder, Mode.POOLED), requirements);
    ReportFolder report = ReportFolder.around(folder);
    report.write(both);
    out.print(Summary.of(both));
    out.println("report          " + report.reportFile());
    return ExitCodes.of(both.bothSigned() && both.allSignaturesRight(), both.requirements());
  }

  /** A run against the wrong kind of service would show nonsense. */
  private static RunDocument run(Path folder, Mode wanted) throws IOException {
    RunDocument run = ReportFolder.read(folder.resolve(wanted.toString()));
    String mode = run.service() == null ? "unknown" : run.service().mode();
    if (!mode.equals(wanted.toString())) {
      throw new IOException(
          "%s was made against a service in mode %s"
              .formatted(folder.resolve(wanted.toString()), mode));
    }
    return run;
  }
}
