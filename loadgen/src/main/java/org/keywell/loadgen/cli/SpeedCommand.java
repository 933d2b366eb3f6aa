package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.options.ProgressLine;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.service.ForeignServer;
import org.keywell.loadgen.service.FreePorts;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.loadgen.speed.PyKmip;
import org.keywell.loadgen.speed.SpeedDocument;
import org.keywell.loadgen.speed.SpeedOperation;
import org.keywell.loadgen.speed.SpeedPlan;
import org.keywell.loadgen.speed.SpeedReport;
import org.keywell.loadgen.speed.SpeedRun;
import org.keywell.loadgen.speed.SpeedSite;
import org.keywell.loadgen.speed.SpeedSystem;
import org.keywell.loadgen.speed.TwoServers;
import org.keywell.loadgen.tls.OpenSsl;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures KMIP operations a minute. */
@Command(
    name = "speed",
    description = {
      "Measures KMIP operations a minute: Get, Get under NIST key wrap, Create AES-256, EC P-256 and"
          + " RSA-2048, the last from the pool and without one; with a new connection for each"
          + " operation, and with kept connections. Beside it, if asked to, PyKMIP's own server, and"
          + " one server and two with a quota.",
      "It starts and stops the service itself, on this machine alone. Keys that it creates stay in"
          + " the data directory."
    },
    sortOptions = false)
final class SpeedCommand implements Callable<Integer> {
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(40);
  private static final int KMIP_PORT = 5696;
  private static final int PYKMIP_PORT = 5796;

  private final Supplier<ServiceProgram> program;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final SpeedOptions options = new SpeedOptions();

  /**
   * Creates the command.
   *
   * @param program the service; throws {@link IllegalArgumentException} if there is none
   */
  SpeedCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    SpeedPlan plan = options.plan();
    Path folder = options.out(RunName.now("speed"));
    ReportFolder.requireEmptyOrMissing(folder);
    ServiceProgram service = OwnServiceOptions.program(program);
    OpenSsl openSsl;
    try {
      service.requireUnset(SpeedSite.PREFIX);
      openSsl = OpenSsl.find(options.openSsl());
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
    PrintWriter out = spec.commandLine().getOut();
    try (Interruption interruption = Interruption.of(ENDS_WITHIN);
        SpeedSite site = SpeedSite.create(service.logs(), openSsl)) {
      interruption.stops(Thread.currentThread()::interrupt);
      RunEnvironment environment = RunEnvironment.here(System.getenv());
      Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      long began = System.nanoTime();
      SpeedRun run = run(plan, service, site);
      double seconds = (System.nanoTime() - began) / 1e9;
      write(
          new SpeedDocument(
              startedAt.toString(), seconds, environment, plan, run.rows(), run.without()),
          folder,
          out);
      return ExitCodes.DONE;
    }
  }

  private SpeedRun run(SpeedPlan plan, ServiceProgram service, SpeedSite site)
      throws IOException, InterruptedException, MisuseException {
    PrintWriter err = spec.commandLine().getErr();
    String python = options.pyKmip();
    SpeedRun run;
    try (@Nullable ForeignServer other =
        python == null ? null : new PyKmip(python).start(site, FreePorts.from(PYKMIP_PORT), err)) {
      run = new SpeedRun(plan, site.client(), other);
      try (ProgressLine _ = ProgressLine.passing(spec.commandLine().getOut(), run::progress)) {
        measure(
            service,
            site,
            plan.pairs(),
            run,
            List.of(
                SpeedOperation.GET,
                SpeedOperation.WRAP,
                SpeedOperation.CREATE_AES,
                SpeedOperation.CREATE_EC,
                SpeedOperation.RSA_FROM_POOL));
        measure(service, site, 0, run, List.of(SpeedOperation.RSA_WITHOUT_POOL));
      }
    }
    if (python == null) {
      run.leaveOut(
          SpeedSystem.PYKMIP, "Not measured: --pykmip names a Python that has PyKMIP's server.");
    }
    if (plan.quotaPercent() == 0) {
      run.leaveOut(
          SpeedSystem.ONE_SERVER,
          "Not measured: --quota gives each server a share of the processors.");
    } else {
      try (ProgressLine _ = ProgressLine.passing(spec.commandLine().getOut(), run::progress)) {
        TwoServers.measure(run, plan, service, site, err);
      }
    }
    return run;
  }

  private void measure(
      ServiceProgram program,
      SpeedSite site,
      int pairs,
      SpeedRun run,
      List<SpeedOperation> operations)
      throws IOException, InterruptedException, MisuseException {
    int port = FreePorts.from(KMIP_PORT);
    try (OwnService service = start(program, site, port, pairs)) {
      service.awaitReady(STARTS_WITHIN);
      try {
        run.measure(service, port, operations);
      } catch (IOException e) {
        throw service.explain(e, "the measurement");
      }
    }
  }

  private OwnService start(ServiceProgram program, SpeedSite site, int port, int pairs)
      throws IOException, MisuseException {
    try {
      return program.start(
          pairs > 0 ? "speed" : "speed-without-pool",
          site.serviceSettings(port, pairs),
          ENDS_WITHIN,
          spec.commandLine().getErr());
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  private static void write(SpeedDocument document, Path path, PrintWriter out) throws IOException {
    ReportFolder folder = ReportFolder.create(path);
    SpeedReport report = new SpeedReport(document);
    Files.writeString(path.resolve("speed.csv"), document.csv());
    folder.write(report.page(), "report.html", "speed.json", document);
    out.println();
    out.print(report.text());
    out.println("report     " + folder.reportFile());
  }
}
