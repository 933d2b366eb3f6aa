package org.keywell.bench.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.keywell.bench.modes.FormComparison;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures what the certificate before the signature costs. */
@Command(
    name = "forms",
    description =
        "Measures what the certificate before the signature costs: in six rounds, bare signatures,"
            + " those in a CMS, and acts in two calls.",
    sortOptions = false)
final class FormsCommand implements Callable<Integer> {
  private static final int FORMS = 3;

  private final Supplier<ServiceProgram> program;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final TurnsOptions options = new TurnsOptions();

  FormsCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    return new Turns(program, options, spec.commandLine())
        .take(
            FORMS * (Turns.ROUNDS * options.requests() + Turns.WARM_UP),
            "in each of the forms",
            (loop, _) -> new FormComparison(loop));
  }
}
