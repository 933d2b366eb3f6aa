package org.keywell.loadgen.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.DriverSettings.NullRate;
import org.keywell.loadgen.report.NullTrial;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the driver itself. */
@Command(
    name = "drive-null",
    description = {
      "Measures which rate the driver itself can hold, against a server in the same process that"
          + " does nothing.",
      "A rate is held if every request is sent and answered, and at p99 less than 5 ms late."
    },
    sortOptions = false)
final class DriveNullCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "How long each rate is driven, 1 to 60; default: ${DEFAULT-VALUE}.")
  private int seconds = 2;

  @Option(
      names = "--highest",
      paramLabel = "RATE",
      defaultValue = "16000",
      description = "The highest rate to try, 100 to 1000000; default: ${DEFAULT-VALUE}.")
  private int highest = 16_000;

  @Override
  public Integer call() throws Exception {
    if (spec == null) {
      throw new IllegalStateException("only picocli runs this command");
    }
    if (seconds < 1 || seconds > 60 || highest < 100 || highest > 1_000_000) {
      throw new MisuseException("--seconds is 1 to 60, --highest 100 to 1000000");
    }
    PrintWriter out = spec.commandLine().getOut();
    double held = 0;
    try (NullTrial trial = NullTrial.start()) {
      trial.drive(500, 2); // Warms up.
      for (double rate = 100; rate <= highest; rate *= 2) {
        NullRate result = trial.drive(rate, seconds);
        out.printf(
            Locale.ROOT,
            "%8.0f /s   %-8s  sent %.3f ms late at p99%n",
            result.perSecond(),
            result.held() ? "held" : "not held",
            result.sendLatenessP99Millis());
        out.flush();
        if (!result.held()) {
          break;
        }
        held = rate;
      }
    }
    out.printf(Locale.ROOT, "The driver holds %.0f requests per second on this machine.%n", held);
    out.flush();
    return held > 0 ? ExitCodes.DONE : ExitCodes.FAILED;
  }
}
