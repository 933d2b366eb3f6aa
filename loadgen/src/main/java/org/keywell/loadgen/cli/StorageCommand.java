package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.keywell.cli.options.ProgressLine;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.service.FreePorts;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.loadgen.storage.StorageDocument;
import org.keywell.loadgen.storage.StorageFigures;
import org.keywell.loadgen.storage.StoragePlan;
import org.keywell.loadgen.storage.StorageReport;
import org.keywell.loadgen.storage.StorageRun;
import org.keywell.loadgen.storage.StorageSite;
import org.keywell.loadgen.storage.Tools;
import org.keywell.loadgen.storage.Volume;
import org.keywell.loadgen.storage.XksKey;
import org.keywell.loadgen.tls.OpenSsl;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures databases on encrypted storage, and takes a key away. */
@Command(
    name = "storage",
    description = {
      "Measures two PostgreSQL servers on encrypted file systems by pgbench, in turn: the data key"
          + " of one is wrapped by a local key manager, that of the other by the service as an"
          + " external key store. Then it measures their starts, and shows what a disabled key and"
          + " an unreachable key store do to a database.",
      "It takes Linux and root. It starts and stops the service and the databases itself, on this"
          + " machine alone; file systems are files in the data directory, and are removed."
    },
    sortOptions = false)
final class StorageCommand implements Callable<Integer> {
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);
  private static final Duration SERVICE_ENDS_WITHIN = Duration.ofSeconds(40);

  /** The databases' end, the key's destruction and the service's end. */
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(3);

  private static final int STORE_PORT = 8443;
  private static final int DATABASE_PORT = 5442;

  /** If this process is killed, the service ends in order. */
  private static final List<String> ENDS_WITH_THIS = List.of("setpriv", "--pdeathsig=TERM");

  private final Supplier<ServiceProgram> program;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final StorageOptions options = new StorageOptions();

  /**
   * Creates the command.
   *
   * @param program the service; throws {@link IllegalArgumentException} if there is none
   */
  StorageCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    StoragePlan plan = options.plan();
    RunName name = RunName.now("storage");
    Path out = options.out(name);
    ReportFolder.requireEmptyOrMissing(out);
    try (Interruption interruption = Interruption.of(ENDS_WITHIN)) {
      interruption.stops(Thread.currentThread()::interrupt);
      ServiceProgram service = program.get();
      service.requireUnset(StorageSite.PREFIX);
      Tools tools = Tools.find(service.environment().getOrDefault("PATH", ""));
      OpenSsl openSsl = OpenSsl.find("openssl");
      RunEnvironment environment = RunEnvironment.here(System.getenv());
      Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      long began = System.nanoTime();
      Path folder = service.logs().resolveSibling("storage").toAbsolutePath();
      StorageFigures figures;
      try (StorageSite site = StorageSite.create(tools, folder, service.logs(), openSsl, plan);
          Volume local = Volume.create(site, "local", plan.volumeBytes());
          Volume xks = Volume.create(site, "xks", plan.volumeBytes())) {
        figures = measured(plan, service, site, local, xks, "load-" + name.testId());
      } catch (IOException e) {
        // Ctrl-C reaches pgbench, too.
        throw interruption.hasCome() ? new IOException("interrupted", e) : e;
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      write(
          StorageDocument.of(
              startedAt.toString(), seconds, environment, tools.version(), plan, figures),
          out);
      return figures.allKept() ? ExitCodes.DONE : ExitCodes.FAILED;
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  private StorageFigures measured(
      StoragePlan plan,
      ServiceProgram program,
      StorageSite site,
      Volume local,
      Volume xks,
      String keyName)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    int port = FreePorts.from(STORE_PORT);
    Map<String, String> settings = site.serviceSettings(port);
    try (OwnService service =
        program.by(ENDS_WITH_THIS).start("storage", settings, SERVICE_ENDS_WITHIN, err)) {
      out.println("XKS        https://127.0.0.1:%d (its log: %s)".formatted(port, service.log()));
      service.awaitReady(STARTS_WITHIN);
      try (XksKey key = XksKey.create(program, site.folder(), keyName)) {
        StorageRun run = new StorageRun(plan, site, local, xks, service, port, key, err);
        try (ProgressLine _ = ProgressLine.passing(out, run::progress)) {
          return run.call(FreePorts.from(DATABASE_PORT));
        }
      }
    }
  }

  private void write(StorageDocument document, Path path) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ReportFolder folder = ReportFolder.create(path);
    StorageReport report = new StorageReport(document);
    Files.writeString(path.resolve("storage.csv"), document.csv());
    folder.write(report.page(), "report.html", "storage.json", document);
    out.println();
    out.print(report.text());
    out.println("report     " + folder.reportFile());
  }
}
