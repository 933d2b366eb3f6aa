package org.keywell.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.modes.ClosedLoop;
import org.keywell.bench.modes.ClosedRun;
import org.keywell.bench.modes.Comparison;
import org.keywell.bench.modes.FormComparison;
import org.keywell.bench.modes.ScrapeComparison;
import org.keywell.loadgen.cli.ExitCodes;
import org.keywell.loadgen.cli.Interruption;
import org.keywell.loadgen.cli.MisuseException;
import org.keywell.loadgen.cli.ProgressLine;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The key pool against the traditional system; or against itself, while its metrics are read or in
 * other forms of signing.
 */
@Command(
    name = "bench",
    description = {
      "Measures what the key pool gives on this machine: callers who each wait for an answer before"
          + " they ask again, with keys made ahead of time and with a key made for each request.",
      "It starts and stops these services itself."
    },
    sortOptions = false)
final class BenchCommand implements Callable<Integer> {
  private static final String USUAL_SPEC = "RSA-2048";
  private static final int LEAST_REQUESTS = 100;
  private static final int MOST_CALLERS = 1_000;
  private static final int POOLED_WARM_UP = 200;
  private static final int ON_THE_FLY_WARM_UP = 2;

  /** A key takes a tenth of a second or so: a twentieth of the requests gives a steady mean. */
  private static final int FEWER = 20;

  private static final int ROUNDS = 6;
  private static final int WARM_UP = 300;
  private static final int FORMS = 3;

  /** Acts in two calls that all callers may have open together. */
  private static final String MAX_OPEN = Integer.toString(2 * MOST_CALLERS);

  private static final Duration READY_WITHIN = Duration.ofMinutes(5);
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

  private final Supplier<ServiceProgram> program;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description =
          "Requests to measure, 100 or more; default: 500, or 300 of each with --scrape or"
              + " --forms.")
  private @Nullable Integer requests;

  @Option(
      names = "--callers",
      paramLabel = "C",
      defaultValue = "1",
      description = "Callers at the same time, 1 to 1000; default: ${DEFAULT-VALUE}.")
  private int callers = 1;

  @Option(
      names = "--scrape",
      description =
          "Measure what reading the metrics costs: in six rounds, the requests alone, and as many"
              + " while the metrics are read every second as Prometheus does.")
  private boolean scrape;

  @Option(
      names = "--forms",
      description =
          "Measure what the certificate before the signature costs: in six rounds, bare signatures,"
              + " those in a CMS, and acts in two calls.")
  private boolean forms;

  @Option(
      names = "--key-spec",
      paramLabel = "NAME",
      description = "With --scrape or --forms, the kind of key; default: " + USUAL_SPEC + ".")
  private @Nullable String keySpec;

  /**
   * Makes the command.
   *
   * @param program the service; an {@link IllegalArgumentException} says that there is none
   */
  BenchCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    if (scrape && forms) {
      throw new MisuseException("--scrape and --forms are two measurements");
    }
    if (!scrape && !forms && keySpec != null) {
      throw new MisuseException("--key-spec goes with --scrape and --forms only");
    }
    int wanted = requests == null ? (scrape || forms ? 300 : 500) : requests;
    if (wanted < LEAST_REQUESTS) {
      throw new MisuseException("--requests is a number from " + LEAST_REQUESTS + " on");
    }
    if (callers < 1 || callers > MOST_CALLERS) {
      throw new MisuseException("--callers is 1 to " + MOST_CALLERS);
    }
    try (Interruption interruption = Interruption.of(ENDS_WITHIN)) {
      ServiceProgram service = program.get();
      if (scrape) {
        return compare(
            service,
            2 * ROUNDS * wanted + WARM_UP,
            wanted,
            "alone, and as many while the metrics are read",
            (loop, own) -> new ScrapeComparison(loop, own.metrics()),
            interruption);
      }
      return forms
          ? compare(
              service,
              FORMS * (ROUNDS * wanted + WARM_UP),
              wanted,
              "in each of the forms",
              (loop, _) -> new FormComparison(loop),
              interruption)
          : compareModes(service, wanted, interruption);
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  private int compareModes(ServiceProgram service, int many, Interruption interruption)
      throws Exception {
    int few = many * callers / FEWER;
    int filled = fill(service, many + POOLED_WARM_UP, USUAL_SPEC, interruption);
    if (filled != ExitCodes.DONE) {
      return filled;
    }
    tell("%n== 2. Pooled: %d requests, %d caller(s), keys made ahead of time", many, callers);
    ClosedRun pooled = measure(service, "pooled", many, POOLED_WARM_UP, interruption);
    tell("%n== 3. On the fly: %d requests, %d caller(s), a key made for each", few, callers);
    ClosedRun onTheFly = measure(service, "on-the-fly", few, ON_THE_FLY_WARM_UP, interruption);
    tell("%n== 4. The ratio");
    tell("              requests/s   mean ms   made ahead");
    row("pooled", pooled);
    row("on the fly", onTheFly);
    tell(
        "  throughput %.1f times as high, mean latency %.1f times as low",
        pooled.perSecond() / onTheFly.perSecond(), onTheFly.meanMillis() / pooled.meanMillis());
    return ExitCodes.DONE;
  }

  private void row(String name, ClosedRun run) {
    tell(
        "  %-10s  %10.1f %9.2f   %d of %d",
        name, run.perSecond(), run.meanMillis(), run.preGenerated(), run.signed());
  }

  private ClosedRun measure(
      ServiceProgram program, String mode, int count, int warmUp, Interruption interruption)
      throws Exception {
    ClosedRun run;
    try (OwnService service =
        start(
            program,
            "bench-" + mode,
            Map.of("KEYWELL_POOL_MODE", mode),
            USUAL_SPEC,
            interruption)) {
      try (ClosedLoop loop = new ClosedLoop(service, USUAL_SPEC, callers, interruption)) {
        var _ = loop.run(warmUp);
        run = loop.run(count);
      } catch (IOException e) {
        throw service.explain(e, "bench");
      }
    }
    tell("done: %.1f requests/s, mean %.2f ms", run.perSecond(), run.meanMillis());
    return run;
  }

  /** Nothing is generated meanwhile: that would meet one part of a round and not the others. */
  private int compare(
      ServiceProgram program,
      int keys,
      int count,
      String what,
      BiFunction<ClosedLoop, OwnService, Comparison> comparing,
      Interruption interruption)
      throws Exception {
    String kind = keySpec == null ? USUAL_SPEC : keySpec;
    int filled = fill(program, keys, kind, interruption);
    if (filled != ExitCodes.DONE) {
      return filled;
    }
    Map<String, String> settings =
        Map.of(
            ServiceProgram.poolSetting(kind, "MAXSTORED"),
            "0",
            ServiceProgram.poolSetting(kind, "LOADEDCAPACITY"),
            "1000",
            ServiceProgram.poolSetting(kind, "LOWWATER"),
            "500",
            "KEYWELL_ACTS_MAXOPEN",
            MAX_OPEN);
    Comparison comparison;
    try (OwnService service = start(program, "bench-rounds", settings, kind, interruption)) {
      tell("%n== 2. %d rounds: %d requests %s", ROUNDS, count, what);
      try (ClosedLoop loop = new ClosedLoop(service, kind, callers, interruption)) {
        comparison = comparing.apply(loop, service);
        comparison.warmUp(WARM_UP);
        comparison.run(ROUNDS, count);
      } catch (IOException e) {
        throw service.explain(e, "bench");
      }
    }
    comparison.print(out());
    return ExitCodes.DONE;
  }

  private int fill(ServiceProgram program, int keys, String kind, Interruption interruption)
      throws IOException, InterruptedException {
    interruption.stops(Thread.currentThread()::interrupt);
    return program.fill(keys, kind, err());
  }

  private OwnService start(
      ServiceProgram program,
      String name,
      Map<String, String> settings,
      String kind,
      Interruption interruption)
      throws IOException, InterruptedException {
    interruption.stops(Thread.currentThread()::interrupt);
    OwnService service = program.start(name, settings, ENDS_WITHIN, err());
    try {
      tell("Service    %s (its log: %s)", service.url(), service.log());
      try (ProgressLine _ = ProgressLine.passing(out(), service::progress)) {
        service.awaitKeys(1, kind, OwnService.Tier.EITHER, READY_WITHIN);
      }
      return service;
    } catch (IOException | InterruptedException | RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private PrintWriter out() {
    return command().commandLine().getOut();
  }

  private PrintWriter err() {
    return command().commandLine().getErr();
  }

  private CommandSpec command() {
    if (spec == null) {
      throw new IllegalStateException("only picocli runs this command");
    }
    return spec;
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would need a library at run time
  private void tell(String form, Object... values) {
    out().println(String.format(Locale.ROOT, form, values));
    out().flush();
  }
}
