package org.keywell.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.report.ResultFolder;
import org.keywell.bench.rig.PreparedPool;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.suite.Machine;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartId;
import org.keywell.bench.suite.SuiteDocument;
import org.keywell.bench.suite.SuiteReport;
import org.keywell.bench.suite.SuiteRun;
import org.keywell.loadgen.cli.ExitCodes;
import org.keywell.loadgen.cli.Interruption;
import org.keywell.loadgen.cli.MisuseException;
import org.keywell.loadgen.cli.RunName;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The suite: how close the service comes to what HSM and processor can do, part by part. */
@Command(
    name = "bench",
    description = {
      "Measures how near the service comes to what the HSM and the processor can do, part by part,"
          + " and what the key pool gives. About twenty minutes, once its pool is filled; it stays"
          + " filled for the next run.",
      "It starts and stops services itself."
    },
    sortOptions = false)
final class BenchCommand implements Callable<Integer> {
  /** The parts that can be measured with a rig. */
  interface Parts {
    Map<PartId, Part> of(Rig rig) throws IOException;
  }

  private static final double QUIET = 1;
  private static final int MOST_ROUNDS = 20;

  /** The load average from before the launcher built anything; if unset, the current one counts. */
  private static final String LOAD = "KEYWELL_LOADAVERAGE";

  private static final String PROFILE = "KEYWELL_HSM_PROFILE";
  private static final String MODULE = "KEYWELL_HSM_MODULE";
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(3);

  private final Supplier<ServiceProgram> program;
  private final Parts parts;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Option(
      names = "--only",
      paramLabel = "LIST",
      split = ",",
      description =
          "The parts to measure, such as a,c; default: a to k. Parts l to q are only measured if"
              + " named.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Rounds in which what is compared takes turns, 1 to 20; they share the pool's keys;"
              + " default: ${DEFAULT-VALUE}.")
  private int rounds = 3;

  @Option(
      names = "--scale",
      paramLabel = "F",
      defaultValue = "1",
      description =
          "F times the usual number of keys and requests, 0.01 to 10; default: ${DEFAULT-VALUE}.")
  private double scale = 1;

  @Option(
      names = "--busy",
      description =
          "Measure although the machine has other work (its load average is above 1). The result"
              + " says so.")
  private boolean busy;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The report's folder, empty or new; default: load-reports/<time>-bench.")
  private @Nullable Path out;

  /**
   * Creates the command.
   *
   * @param program the service; throws an {@link IllegalArgumentException} if there is none
   * @param parts all parts that can be measured
   */
  BenchCommand(Supplier<ServiceProgram> program, Parts parts) {
    this.program = program;
    this.parts = parts;
  }

  @Override
  public Integer call() throws Exception {
    Set<PartId> chosen = chosen();
    if (rounds < 1 || rounds > MOST_ROUNDS) {
      throw new MisuseException("--rounds is 1 to " + MOST_ROUNDS);
    }
    if (!(scale >= 0.01 && scale <= 10)) {
      throw new MisuseException("--scale is 0.01 to 10");
    }
    ServiceProgram service = program();
    double load = loadAverage(service);
    if (load > QUIET && !busy) {
      throw new MisuseException(
          String.format(
              Locale.ROOT,
              "the machine has other work: its load average is %.2f, and figures that are published"
                  + " need one of 1 at the most. Wait, or measure with --busy, which the result"
                  + " says",
              load));
    }
    ResultFolder folder = ResultFolder.at(folder(), "bench.json");
    try (Interruption interruption = Interruption.of(ENDS_WITHIN);
        PreparedPool pool = PreparedPool.open(service, spec.commandLine().getErr())) {
      interruption.stops(Thread.currentThread()::interrupt);
      SuiteDocument run = run(service, pool, chosen, load);
      SuiteReport report = new SuiteReport(run);
      folder.write(report.page(), Map.of(), run);
      tell(System.lineSeparator() + report.text());
      tell("report          " + folder.reportFile());
      tell("figures         " + folder.figuresFile());
      return run.complete() ? ExitCodes.DONE : ExitCodes.FAILED;
    }
  }

  private SuiteDocument run(
      ServiceProgram service, PreparedPool pool, Set<PartId> chosen, double load)
      throws IOException {
    Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    long beganNanos = System.nanoTime();
    Rig rig = new Rig(pool, scale, line -> tell("  " + line));
    Map<PartId, Part> wanted = new TreeMap<>(parts.of(rig));
    wanted.keySet().retainAll(chosen);
    SuiteRun run = new SuiteRun(wanted, rounds, this::tell, System::nanoTime);
    run.run();
    return new SuiteDocument(
        SuiteDocument.FORMAT,
        began.toString(),
        Duration.ofNanos(System.nanoTime() - beganNanos).toMillis() / 1e3,
        run.interrupted(),
        load,
        load > QUIET,
        rounds,
        scale,
        RunEnvironment.here(service.environment()),
        Machine.here(service.environment().getOrDefault(MODULE, ""), rig.database()),
        run.measured());
  }

  private Set<PartId> chosen() throws MisuseException {
    Set<PartId> chosen = EnumSet.noneOf(PartId.class);
    try {
      only.forEach(letter -> chosen.add(PartId.ofLetter(letter.strip().toLowerCase(Locale.ROOT))));
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
    return chosen.isEmpty() ? PartId.usual() : chosen;
  }

  private ServiceProgram program() throws MisuseException {
    ServiceProgram service;
    try {
      service = program.get();
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
    if (!service.environment().getOrDefault(PROFILE, "").isBlank()) {
      throw new MisuseException("the suite measures the HSM as it is: unset " + PROFILE);
    }
    return service;
  }

  private static double loadAverage(ServiceProgram service) throws MisuseException {
    String told = service.environment().getOrDefault(LOAD, "");
    try {
      return told.isEmpty()
          ? ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
          : Double.parseDouble(told);
    } catch (NumberFormatException e) {
      throw new MisuseException(LOAD + ": '" + told + "' is no load average");
    }
  }

  private Path folder() {
    return out == null ? Path.of("load-reports", RunName.now("bench").folder()) : out;
  }

  private void tell(String line) {
    PrintWriter terminal = spec.commandLine().getOut();
    terminal.println(line);
    terminal.flush();
  }
}
