package org.keywell.loadgen.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.client.options.ServerOptions;
import org.keywell.loadgen.report.OverloadRequirement;
import org.keywell.loadgen.report.ReportFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Rates above what the service can do. The launcher starts the service and calls this once for each
 * stage, with the same arguments.
 */
@Command(
    name = "overload",
    description = {
      "Measures the base rate BR of a service with the key pool; then, for constant rates above it,"
          + " predicts queue and latency by the thesis's formulas, sends the requests, and shows"
          + " how close both came (Table 4-2).",
      "./keywell load overload starts and stops this service itself."
    },
    sortOptions = false)
final class OverloadCommand implements Callable<Integer> {

  /** The parts of the work, in their order. */
  enum Stage {
    PLAN,
    RUN
  }

  /** Latencies of minutes are what is measured here. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--stage", hidden = true, required = true)
  private Stage stage = Stage.PLAN;

  @Mixin private final ServerOptions server = new ServerOptions();

  @Mixin private final OwnServiceOptions own = new OwnServiceOptions();

  @Mixin private final OverloadOptions tests = new OverloadOptions();

  @Mixin private final LoadOptions options = new LoadOptions();

  @Option(
      names = "--require",
      paramLabel = "CONDITION",
      description =
          "End with 3 unless all tests meet this, such as 'accuracy>=98.6%%' or 'dropped=0'; may be"
              + " repeated. accuracy is the lower one of queue and latency.")
  private List<String> require = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    if (spec == null) {
      throw new IllegalStateException("only picocli runs this command");
    }
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
    RunName name = own.name("overload");
    Path folder = options.out(name);
    RequestForm requests =
        new RequestForm(options.keySpec(), options.deadline(DEADLINE), options.testId(name));
    PrintWriter out = spec.commandLine().getOut();
    return switch (stage) {
      case PLAN -> {
        ReportFolder.requireEmptyOrMissing(folder);
        int keys =
            planned.stream().mapToInt(OverloadOptions.Planned::requests).sum()
                + tests.baseRequests()
                + warmUp
                + ServicePlan.SPARE_KEYS;
        new ServicePlan(options.keySpec(), keys, longest, requests.deadline(), own.profile())
            .print(out);
        yield ExitCodes.DONE;
      }
      case RUN ->
          new OverloadRun(server, options, tests, requests, out).call(warmUp, requirements, folder);
    };
  }
}
