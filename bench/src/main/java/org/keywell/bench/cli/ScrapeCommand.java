package org.keywell.bench.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.keywell.bench.modes.ScrapeComparison;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures what reading the service's metrics costs. */
@Command(
    name = "scrape",
    description =
        "Measures what reading the metrics costs: in six rounds, the requests alone, and as many"
            + " while the metrics are read every second as Prometheus does.",
    sortOptions = false)
final class ScrapeCommand implements Callable<Integer> {
  private final Supplier<ServiceProgram> program;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final TurnsOptions options = new TurnsOptions();

  ScrapeCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    return new Turns(program, options, spec.commandLine())
        .take(
            2 * Turns.ROUNDS * options.requests() + Turns.WARM_UP,
            "alone, and as many while the metrics are read",
            (loop, own) -> new ScrapeComparison(loop, own.metrics()));
  }
}
