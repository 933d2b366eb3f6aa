package org.keywell.loadgen.report;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;

/**
 * A row for each request that became due. Times are microseconds from the run's start; the stages'
 * durations are microseconds, too. Unknown values are empty.
 */
final class SamplesCsv {
  private static final String HEADER =
      "request,step,due_us,sent_us,answered_us,outcome,problem,pre_generated,"
          + "accept_us,queue_us,key_us,sign_us,certify_us,destroy_us,finish_us,record_us,unseen_us,"
          + "request_id";

  private SamplesCsv() {}

  static void write(Path file, Schedule schedule, List<Sample> samples) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(HEADER + "\n");
      for (Sample sample : samples) {
        out.write(row(schedule, sample) + "\n");
      }
    }
  }

  private static String row(Schedule schedule, Sample sample) {
    StringBuilder row = new StringBuilder();
    row.append(sample.request()).append(',').append(schedule.stepOf(sample.request()) + 1);
    row.append(',').append(micros(sample.dueNanos()));
    row.append(',').append(micros(sample.sentNanos()));
    row.append(',').append(micros(sample.answeredNanos()));
    row.append(',').append(sample.outcome().kind().label());
    row.append(',').append(quoted(sample.outcome().problem()));
    if (sample.outcome() instanceof Outcome.Signed signed) {
      SignResponse response = signed.response();
      row.append(',').append(response.preGeneratedKeyPair());
      for (StageTime stage : StageTime.values()) {
        OptionalLong micros = stage.micros(sample, signed);
        row.append(',').append(micros.isPresent() ? Long.toString(micros.getAsLong()) : "");
      }
      row.append(',').append(quoted(response.requestId()));
    } else {
      row.append(",".repeat(2 + StageTime.values().length));
    }
    return row.toString();
  }

  private static String micros(long nanos) {
    return nanos == Sample.NEVER ? "" : Long.toString(nanos / 1_000);
  }

  /** A service's answer must not break the table or run as a formula in a spreadsheet. */
  private static String quoted(String text) {
    String plain = text.replace('"', '\'').replaceAll("[\\r\\n]", " ");
    boolean harmless = plain.matches("[A-Za-z0-9:._ -]*") && !plain.startsWith("-");
    return harmless ? plain : "\"" + (plain.matches("[=+@-].*") ? "'" : "") + plain + "\"";
  }
}
