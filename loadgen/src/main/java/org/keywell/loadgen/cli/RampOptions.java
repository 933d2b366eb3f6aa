package org.keywell.loadgen.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.schedule.RampCsv;
import org.keywell.loadgen.schedule.RampFormatException;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.schedule.ThesisRamp;
import picocli.CommandLine.Option;

/** Which ramp of request rates is driven. */
final class RampOptions {

  @Option(
      names = "--full",
      description = "Add the descent that is not printed but inferred: 3,000 requests in 1,073 s.")
  private boolean full;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description =
          "A ramp of your own, with the columns"
              + " from_request,to_request,delay_ms,requests_per_second.")
  private @Nullable Path csv;

  @Option(
      names = "--time-scale",
      paramLabel = "F",
      defaultValue = "1",
      description =
          "Let the ramp take F times the time, 0.001 to 100: 0.1 makes the run ten times as short"
              + " and every rate ten times as high; default: ${DEFAULT-VALUE}.")
  private double timeScale = 1;

  Schedule schedule() throws MisuseException {
    if (full && csv != null) {
      throw new MisuseException("--full and --csv do not go together");
    }
    if (!(timeScale >= 0.001 && timeScale <= 100)) {
      throw new MisuseException("--time-scale is 0.001 to 100");
    }
    Schedule schedule = csv != null ? ofFile(csv) : full ? ThesisRamp.full() : ThesisRamp.printed();
    return timeScale == 1 ? schedule : schedule.scaled(timeScale);
  }

  private static Schedule ofFile(Path file) throws MisuseException {
    try {
      String name = String.valueOf(file.getFileName());
      return Schedule.of(name, RampCsv.parse(Files.readAllLines(file)));
    } catch (IOException e) {
      throw new MisuseException("cannot read " + file + " (as UTF-8 text)");
    } catch (RampFormatException e) {
      throw new MisuseException(file + ", " + e.getMessage());
    }
  }
}
