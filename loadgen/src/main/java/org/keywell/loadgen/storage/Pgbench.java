package org.keywell.loadgen.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.keywell.loadgen.service.BoundedRun;

/**
 * PostgreSQL's own benchmark, with the published measurement's options, against a server of this
 * machine.
 *
 * @param database how it connects
 */
record Pgbench(Tools tools, String database) {
  private static final Duration SLACK = Duration.ofMinutes(2);
  private static final Duration EACH_SCALE = Duration.ofSeconds(20);
  private static final Duration A_WHILE = Duration.ofSeconds(3);
  private static final int LONGEST_SECONDS = 600;

  /** Makes the tables. */
  void initialize(int scale) throws IOException, InterruptedException {
    String _ =
        Tools.run(
            command("--initialize", "--quiet", "--scale=" + scale),
            SLACK.plus(EACH_SCALE.multipliedBy(scale)));
  }

  PgbenchResult run(int seconds) throws IOException, InterruptedException {
    List<String> command =
        command(
            "--protocol=extended",
            "--report-per-command",
            "--jobs=5",
            "--client=50",
            "--time=" + seconds);
    PgbenchResult result = PgbenchResult.read(Tools.run(command, SLACK.plusSeconds(seconds)));
    if (result.failed() > 0) {
      throw new IOException(result.failed() + " transactions failed");
    }
    return result;
  }

  /** Runs before, during and after something that happens elsewhere. */
  Course during(BoundedRun.Work work) throws IOException, InterruptedException {
    long[] times = new long[2];
    BoundedRun run =
        BoundedRun.during(
            () -> {
              Thread.sleep(A_WHILE);
              times[0] = System.nanoTime();
              work.run();
              times[1] = System.nanoTime();
              Thread.sleep(A_WHILE.plusSeconds(1));
            },
            command(
                "--protocol=extended",
                "--jobs=5",
                "--client=50",
                "--progress=1",
                "--time=" + LONGEST_SECONDS),
            Path.of("/"));
    return Course.read(run, times[0], times[1]);
  }

  private List<String> command(String... options) {
    List<String> command = new ArrayList<>(List.of(tools.path("pgbench")));
    command.addAll(List.of(options));
    command.add(database);
    return command;
  }
}
