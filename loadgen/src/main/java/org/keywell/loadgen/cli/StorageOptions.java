package org.keywell.loadgen.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.storage.StoragePlan;
import picocli.CommandLine.Option;

/** What {@code load storage} measures. */
final class StorageOptions {

  @Option(
      names = "--time",
      paramLabel = "S",
      defaultValue = "15",
      description =
          "Seconds of each measurement, 1 to 3600; default: ${DEFAULT-VALUE}. The published"
              + " measurement has 600.")
  private int seconds = 15;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Rounds of both databases, 1 to 100; figures are medians of the rounds; default:"
              + " ${DEFAULT-VALUE}.")
  private int rounds = 3;

  @Option(
      names = "--scale",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "pgbench's scale, 1 to 1000: 100,000 accounts, or 15 MB, each; default:"
              + " ${DEFAULT-VALUE}, as in the published measurement.")
  private int scale = 20;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Report folder; default: load-reports/TIME-storage. It must be empty or missing.")
  private @Nullable Path out;

  StoragePlan plan() throws MisuseException {
    require(seconds, 1, 3_600, "--time");
    require(rounds, 1, 100, "--rounds");
    require(scale, 1, 1_000, "--scale");
    return new StoragePlan(seconds, rounds, scale);
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
