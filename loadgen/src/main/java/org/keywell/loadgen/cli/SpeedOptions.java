package org.keywell.loadgen.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.speed.SpeedPlan;
import picocli.CommandLine.Option;

/** What {@code load speed} measures. */
final class SpeedOptions {

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description = "Seconds of each measurement, 1 to 300; default: ${DEFAULT-VALUE}.")
  private int seconds = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "Unmeasured seconds before each measurement, 0 to 300; of pairs from the pool, a quarter"
              + " is taken unmeasured at most; default: ${DEFAULT-VALUE}.")
  private int warmUp = 1;

  @Option(
      names = "--clients",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "1,10",
      description =
          "Numbers of clients that work at the same time, 1 to 100 each, at most 10; default:"
              + " ${DEFAULT-VALUE}.")
  private List<Integer> clients = new ArrayList<>();

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "RSA-2048 pairs in the pool before each measurement that takes from it, 1 to 100000; with"
              + " the standard --clients there are four of these, and SoftHSM on two cores fills"
              + " the pool for all in about a minute; default: ${DEFAULT-VALUE}.")
  private int pairs = 100;

  @Option(
      names = "--pykmip",
      paramLabel = "PYTHON",
      description =
          "Measure PyKMIP's own server too, in turn: a Python that has the package; default: leave"
              + " it out.")
  private @Nullable String pyKmip;

  @Option(
      names = "--quota",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description =
          "Measure one server and two, too, each with a quota of PERCENT of the machine's processor"
              + " time, 5 to 50; takes Linux and root; 0, the default, leaves this out.")
  private int quota;

  @Option(
      names = "--openssl",
      paramLabel = "PROGRAM",
      defaultValue = "openssl",
      description = "OpenSSL, for certificates; default: the ${DEFAULT-VALUE} on the PATH.")
  private String openSsl = "openssl";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Report folder; default: load-reports/TIME-speed. It must be empty or missing.")
  private @Nullable Path out;

  SpeedPlan plan() throws MisuseException {
    require(seconds, 1, 300, "--seconds");
    require(warmUp, 0, 300, "--warm-up");
    require(clients.size(), 1, 10, "the number of --clients");
    for (int each : clients) {
      require(each, 1, 100, "--clients");
    }
    require(pairs, 1, 100_000, "--pairs");
    if (quota != 0) {
      require(quota, 5, 50, "--quota");
    }
    return new SpeedPlan(seconds, warmUp, clients.stream().distinct().toList(), pairs, quota);
  }

  /** Returns a Python that has PyKMIP; null if its server is not to be measured. */
  @Nullable String pyKmip() {
    return pyKmip;
  }

  String openSsl() {
    return openSsl;
  }

  Path out(RunName name) {
    return out == null ? Path.of("load-reports", name.folder()) : out;
  }

  private static void require(int value, int least, int most, String what) throws MisuseException {
    if (value < least || value > most) {
      throw new MisuseException("%s is %d, expected %d to %d".formatted(what, value, least, most));
    }
  }
}
