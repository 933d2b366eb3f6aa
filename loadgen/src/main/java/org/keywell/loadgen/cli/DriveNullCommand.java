package org.keywell.loadgen.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
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
      "Measures which rate the driver can sustain, against a server in the same process that does"
          + " nothing.",
      "It keeps up with a rate if every request is sent and answered, the last one at most 0.1 s"
          + " after the end. It is on time if requests are sent less than 5 ms late at p99."
    },
    sortOptions = false)
final class DriveNullCommand implements Callable<Integer> {
  private static final double WARM_UP_PER_SECOND = 1_000;
  private static final double WARM_UP_SECONDS = 3;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "Seconds to drive each rate, 1 to 60; default: ${DEFAULT-VALUE}.")
  private int seconds = 2;

  @Option(
      names = "--highest",
      paramLabel = "RATE",
      defaultValue = "16000",
      description = "Highest rate to try, 100 to 1000000; default: ${DEFAULT-VALUE}.")
  private int highest = 16_000;

  @Override
  public Integer call() throws Exception {
    if (seconds < 1 || seconds > 60 || highest < 100 || highest > 1_000_000) {
      throw new MisuseException("--seconds is 1 to 60, --highest 100 to 1000000");
    }
    PrintWriter out = spec.commandLine().getOut();
    double keptUp = 0;
    double onTime = 0;
    try (NullTrial trial = NullTrial.start()) {
      trial.drive(WARM_UP_PER_SECOND, WARM_UP_SECONDS);
      for (double rate = 100; rate <= highest; rate *= 2) {
        NullRate result = trial.drive(rate, seconds);
        out.printf(
            Locale.ROOT,
            "%8.0f /s   %-15s   sent %.3f ms late at p99%n",
            result.perSecond(),
            result.keptUp() ? "kept up" : "did not keep up",
            result.sendLatenessP99Millis());
        if (!result.keptUp()) {
          break;
        }
        keptUp = rate;
        onTime = result.onTime() ? rate : onTime;
      }
    }
    out.printf(
        Locale.ROOT,
        "On this machine, now, the driver keeps up with %.0f requests per second,"
            + " and is on time up to %.0f.%n",
        keptUp,
        onTime);
    return keptUp > 0 ? ExitCodes.DONE : ExitCodes.FAILED;
  }
}
