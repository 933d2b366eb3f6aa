package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.client.options.ServerOptions;
import org.keywell.loadgen.report.ComparisonDocument;
import org.keywell.loadgen.report.ComparisonRequirement;
import org.keywell.loadgen.report.ComparisonSummary;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunDocument;
import org.keywell.loadgen.schedule.Schedule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Replays one ramp against the traditional system and against the key pool. The launcher starts a
 * service for each of them and calls this once for each stage, with the same arguments.
 */
@Command(
    name = "compare",
    description = {
      "Replays one ramp against a service that makes a key for each request, and against one with"
          + " the key pool, and lays both side by side.",
      "./keywell load compare starts and stops these services itself."
    },
    sortOptions = false)
final class CompareCommand implements Callable<Integer> {

  /** The parts of the work, in their order. */
  enum Stage {
    PLAN,
    ON_THE_FLY,
    POOLED,
    REPORT;

    /** For a run, also the mode of its service, and its folder. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final int LONGEST_QUEUE = 100_000;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--stage", hidden = true, required = true)
  private Stage stage = Stage.PLAN;

  @Mixin private final ServerOptions server = new ServerOptions();

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
          "End with 3 unless this is met; may be repeated. As for ramp, on the run with the key"
              + " pool; with 'on-the-fly.' before it, on the other ('on-the-fly.dropped>0'); or on"
              + " how many times as high the pool's throughput is at the peak ('factor>20').")
  private List<String> require = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    if (spec == null) {
      throw new IllegalStateException("only picocli runs this command");
    }
    options.check();
    Schedule schedule = ramp.schedule();
    if (queueLimit < 1 || queueLimit > LONGEST_QUEUE) {
      throw new MisuseException("--queue-limit is 1 to " + LONGEST_QUEUE);
    }
    List<ComparisonRequirement> requirements =
        Requirements.parse(require, ComparisonRequirement::parse);
    RunPlan both = plan(schedule);
    PrintWriter out = spec.commandLine().getOut();
    return switch (stage) {
      case PLAN -> prepare(both, out);
      case ON_THE_FLY, POOLED -> drive(both, out);
      case REPORT -> report(both.folder(), requirements, out);
    };
  }

  /** What both runs have in common; each is a part of it. */
  private RunPlan plan(Schedule schedule) throws MisuseException {
    RunName name = own.name("compare");
    return new RunPlan(
        "compare, " + stage,
        schedule,
        new RequestForm(
            options.keySpec(), options.deadline(RampCommand.DEADLINE), options.testId(name)),
        own.warmUp(),
        LoadRun.POOL_INTERVAL,
        ServicePlan.told(System.getenv()),
        List.of(),
        options.out(name));
  }

  private int prepare(RunPlan both, PrintWriter out) throws IOException {
    ReportFolder.requireEmptyOrMissing(both.folder());
    int keys = both.schedule().requests() + both.warmUp() + ServicePlan.SPARE_KEYS;
    new ServicePlan(options.keySpec(), keys, queueLimit, both.requests().deadline(), own.profile())
        .print(out);
    return ExitCodes.DONE;
  }

  /** Requirements are looked at when both runs have been made. */
  private int drive(RunPlan both, PrintWriter out)
      throws IOException, InterruptedException, GeneralSecurityException {
    try (Interruption interruption = new Interruption()) {
      var _ = new LoadRun(server, options, out).make(both.part(stage.toString()), interruption);
    }
    return ExitCodes.DONE;
  }

  private static int report(Path folder, List<ComparisonRequirement> requirements, PrintWriter out)
      throws IOException {
    ComparisonDocument both =
        ComparisonDocument.of(
            run(folder, Stage.ON_THE_FLY), run(folder, Stage.POOLED), requirements);
    ReportFolder report = ReportFolder.around(folder);
    report.write(both);
    out.print(ComparisonSummary.of(both));
    out.println("report          " + report.reportFile());
    out.flush();
    return ExitCodes.of(both.bothSigned() && both.allSignaturesRight(), both.requirements());
  }

  /** A run that was made against the wrong kind of service would show nonsense. */
  private static RunDocument run(Path folder, Stage stage) throws IOException {
    RunDocument run = ReportFolder.read(folder.resolve(stage.toString()));
    String mode = run.service() == null ? "unknown" : run.service().mode();
    if (!mode.equals(stage.toString())) {
      throw new IOException(
          "%s was made against a service in mode %s"
              .formatted(folder.resolve(stage.toString()), mode));
    }
    return run;
  }
}
