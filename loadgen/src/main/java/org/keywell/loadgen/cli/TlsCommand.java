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
import org.keywell.cli.options.ProgressLine;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.service.ForeignServer;
import org.keywell.loadgen.service.FreePorts;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.loadgen.tls.OpenSsl;
import org.keywell.loadgen.tls.TlsDocument;
import org.keywell.loadgen.tls.TlsPlan;
import org.keywell.loadgen.tls.TlsReport;
import org.keywell.loadgen.tls.TlsRun;
import org.keywell.loadgen.tls.TlsScenario;
import org.keywell.loadgen.tls.TrialSite;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures the service's TLS beside that of OpenSSL. */
@Command(
    name = "tls",
    description = {
      "Measures TLS 1.3 with the system's openssl s_time as the client: new and resumed connections,"
          + " each of which fetches a file, against the service and against openssl s_server with the"
          + " same certificate, in turn.",
      "It starts and stops both servers itself, on this machine alone. Metrics have the names of"
          + " the OpenSSL-TLS workload; ratios are the service's connections a second for each of"
          + " s_server's."
    },
    sortOptions = false)
final class TlsCommand implements Callable<Integer> {
  private static final Duration S_SERVER_ENDS_WITHIN = Duration.ofSeconds(5);
  private static final int USUAL_S_SERVER_PORT = 4433;
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(40);

  private final Supplier<ServiceProgram> program;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final TlsOptions options = new TlsOptions();

  /**
   * Creates the command.
   *
   * @param program the service; throws {@link IllegalArgumentException} if there is none
   */
  TlsCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    TlsPlan plan = options.plan();
    Path folder = options.out(RunName.now("tls"));
    ReportFolder.requireEmptyOrMissing(folder);
    OpenSsl openSsl = openSsl();
    ServiceProgram service = OwnServiceOptions.program(program);
    PrintWriter out = spec.commandLine().getOut();
    try (Interruption interruption = Interruption.of(ENDS_WITHIN);
        TrialSite site = TrialSite.create(service.logs(), openSsl, plan)) {
      interruption.stops(Thread.currentThread()::interrupt);
      RunEnvironment environment = RunEnvironment.here(System.getenv());
      Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      long began = System.nanoTime();
      List<TlsScenario> scenarios = measured(plan, site, openSsl, service, out);
      TlsDocument document =
          new TlsDocument(
              startedAt.toString(),
              (System.nanoTime() - began) / 1e9,
              environment,
              openSsl.version(),
              plan,
              scenarios);
      write(document, new TlsReport(document), folder, out);
      return ExitCodes.DONE;
    }
  }

  private OpenSsl openSsl() throws IOException, InterruptedException, MisuseException {
    try {
      return OpenSsl.find(options.openSsl());
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  private List<TlsScenario> measured(
      TlsPlan plan, TrialSite site, OpenSsl openSsl, ServiceProgram program, PrintWriter out)
      throws IOException, InterruptedException, MisuseException {
    PrintWriter err = spec.commandLine().getErr();
    int port = FreePorts.from(USUAL_S_SERVER_PORT);
    try (OwnService service = start(program, site, err)) {
      out.println(
          "Service    https://127.0.0.1:%d (its log: %s)".formatted(service.port(), service.log()));
      service.awaitReady(STARTS_WITHIN);
      try (ForeignServer _ =
          ForeignServer.start(
              "s_server",
              openSsl.command(site.sServer(port)),
              site.directory(),
              port,
              S_SERVER_ENDS_WITHIN,
              err)) {
        out.println("s_server   127.0.0.1:%d, %s".formatted(port, openSsl.version()));
        TlsRun run = new TlsRun(plan, site, openSsl, service.port(), port);
        try (ProgressLine _ = ProgressLine.passing(out, run::progress)) {
          return run.call();
        }
      } catch (IOException e) {
        throw service.explain(e, "the measurement");
      }
    }
  }

  private static OwnService start(ServiceProgram program, TrialSite site, PrintWriter err)
      throws IOException, MisuseException {
    try {
      return program.start("tls", site.serviceSettings(), ENDS_WITHIN, err);
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  private static void write(TlsDocument document, TlsReport report, Path path, PrintWriter out)
      throws IOException {
    ReportFolder folder = ReportFolder.create(path);
    Files.writeString(path.resolve("metrics.csv"), document.csv());
    folder.write(report.page(), "report.html", "tls.json", document);
    out.println();
    out.print(report.text());
    out.println("report     " + folder.reportFile());
  }
}
