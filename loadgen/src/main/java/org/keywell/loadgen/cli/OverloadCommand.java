package org.keywell.loadgen.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.keywell.cli.options.ServerOptions;
import org.keywell.loadgen.cli.ServicePlan.Mode;
import org.keywell.loadgen.report.OverloadRequirement;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures rates above what the service can do. */
@Command(
    name = "overload",
    description = {
      "Measures the base rate BR of a service with the key pool. For constant rates above it,"
          + " predicts queue and latency with the thesis's formulas, sends the requests, and shows"
          + " how accurate the predictions were (Table 4-2).",
      "It starts and stops this service itself."
    },
    sortOptions = false)
final class OverloadCommand implements Callable<Integer> {

  /** Latencies of minutes are measured here. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final Supplier<ServiceProgram> program;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final OwnServiceOptions own = new OwnServiceOptions();

  @Mixin private final OverloadOptions tests = new OverloadOptions();

  @Mixin private final LoadOptions options = new LoadOptions();

  @Option(
      names = "--require",
      paramLabel = "CONDITION",
      description =
          "Exit with 3 unless all tests meet this, such as 'accuracy>=98.6%%' or 'dropped=0'; may"
              + " be repeated. accuracy is the lower of those of queue and latency.")
  private List<String> require = new ArrayList<>();

  /**
   * Creates the command.
   *
   * @param program the service; throws {@link IllegalArgumentException} if there is none
   */
  OverloadCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    int warmUp = own.warmUp();
    List<OverloadOptions.Planned> planned = tests.planned();
    int longest = planned.stream().mapToInt(OverloadOptions.Planned::requests).max().orElseThrow();
    if (longest > options.inFlight()) {
      throw new MisuseException(
          "a test of %d requests needs an --in-flight of at least as many".formatted(longest));
    }
    List<OverloadRequirement> requirements =
        Requirements.parse(require, OverloadRequirement::parse);
    RunName name = RunName.now("overload");
    Path folder = options.out(name);
    ReportFolder.requireEmptyOrMissing(folder);
    RequestForm requests =
        new RequestForm(options.keySpec(), options.deadline(DEADLINE), options.testId(name));
    int keys =
        planned.stream().mapToInt(OverloadOptions.Planned::requests).sum()
            + tests.baseRequests()
            + warmUp
            + ServicePlan.SPARE_KEYS;
    ServicePlan plan =
        new ServicePlan(options.keySpec(), keys, longest, requests.deadline(), own.profile());
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
      services.step("The key pool: %d keys are loaded into the HSM first".formatted(keys));
      return services.during(
          "overload",
          Mode.POOLED,
          service -> {
            services.step("Rates above what the service can do");
            return new OverloadRun(
                    ServerOptions.to(service.url().toString()),
                    options,
                    tests,
                    requests,
                    services.told(Mode.POOLED),
                    interruption,
                    out)
                .call(warmUp, requirements, folder);
          });
    }
  }
}
