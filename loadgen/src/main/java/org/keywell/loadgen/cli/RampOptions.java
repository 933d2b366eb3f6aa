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

/** Options for the ramp of request rates. */
final class RampOptions {

  @Option(
      names = "--full",
      description = "Add the descent, which is inferred, not printed: 3,000 requests in 1,073 s.")
  private boolean full;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description =
          "Replay your own ramp, with the columns"
              + " from_request,to_request,delay_ms,requests_per_second.")
  private @Nullable Path csv;

  @Option(
      names = "--time-scale",
      paramLabel = "F",
      defaultValue = "1",
      description =
          "Stretch the ramp over F times the time, 0.001 to 100: at 0.1, the run takes a tenth of"
              + " the time and every rate is ten times as high; default: ${DEFAULT-VALUE}.")
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
