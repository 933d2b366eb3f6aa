package org.keywell.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.keywell.bench.modes.ClosedLoop;
import org.keywell.bench.modes.Comparison;
import org.keywell.loadgen.cli.ExitCodes;
import org.keywell.loadgen.cli.Interruption;
import org.keywell.loadgen.cli.MisuseException;
import org.keywell.loadgen.cli.ProgressLine;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine;

/** Kinds of load that take turns at a service started for them. */
final class Turns {
  static final int ROUNDS = 6;
  static final int WARM_UP = 300;

  private static final Duration READY_WITHIN = Duration.ofMinutes(5);
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

  private final Supplier<ServiceProgram> program;
  private final TurnsOptions options;
  private final PrintWriter out;
  private final PrintWriter err;

  Turns(Supplier<ServiceProgram> program, TurnsOptions options, CommandLine terminal) {
    this.program = program;
    this.options = options;
    this.out = terminal.getOut();
    this.err = terminal.getErr();
  }

  /**
   * Measures and prints. No keys are generated meanwhile: that would affect only part of a round.
   *
   * @param keys number of keys for all rounds
   * @param what describes what is sent; printed after the number of requests
   * @return the exit code
   */
  int take(int keys, String what, BiFunction<ClosedLoop, OwnService, Comparison> comparing)
      throws IOException, InterruptedException, MisuseException {
    try (Interruption interruption = Interruption.of(ENDS_WITHIN)) {
      ServiceProgram service = program.get();
      interruption.stops(Thread.currentThread()::interrupt);
      int filled = service.fill(keys, options.keySpec(), err);
      if (filled != ExitCodes.DONE) {
        return filled;
      }
      Comparison comparison = measured(service, what, comparing, interruption);
      comparison.print(out);
      return ExitCodes.DONE;
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  private Comparison measured(
      ServiceProgram program,
      String what,
      BiFunction<ClosedLoop, OwnService, Comparison> comparing,
      Interruption interruption)
      throws IOException, InterruptedException {
    try (OwnService service = program.start("bench-rounds", settings(), ENDS_WITHIN, err)) {
      tell("Service    %s (its log: %s)".formatted(service.url(), service.log()));
      try (ProgressLine _ = ProgressLine.passing(out, service::progress)) {
        service.awaitKeys(1, options.keySpec(), OwnService.Tier.EITHER, READY_WITHIN);
      }
      tell("%n== 2. %d rounds: %d requests %s".formatted(ROUNDS, options.requests(), what));
      try (ClosedLoop loop =
          new ClosedLoop(service, options.keySpec(), options.callers(), interruption)) {
        Comparison comparison = comparing.apply(loop, service);
        comparison.warmUp(WARM_UP);
        comparison.run(ROUNDS, options.requests());
        return comparison;
      } catch (IOException e) {
        throw service.explain(e, "bench");
      }
    }
  }

  private Map<String, String> settings() {
    String kind = options.keySpec();
    return Map.of(
        ServiceProgram.poolSetting(kind, "MAXSTORED"),
        "0",
        ServiceProgram.poolSetting(kind, "LOADEDCAPACITY"),
        "1000",
        ServiceProgram.poolSetting(kind, "LOWWATER"),
        "500",
        "KEYWELL_ACTS_MAXOPEN",
        TurnsOptions.maxOpenActs());
  }

  private void tell(String line) {
    out.println(line);
    out.flush();
  }
}
