package org.keywell.loadgen.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;
import org.keywell.client.SignResponse.Timestamps;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.RampCsv;
import org.keywell.loadgen.schedule.RampFormatException;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.verify.Verification;

/**
 * A run whose {@code samples.csv} was written once and stays as it is, and what the program said of
 * it that wrote it.
 */
final class FixedRun {
  private FixedRun() {}

  static String file(String name) {
    try (InputStream in = FixedRun.class.getResourceAsStream("fixed-run/" + name)) {
      if (in == null) {
        throw new IllegalStateException("no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Schedule schedule() {
    try {
      return Schedule.of("fixed", RampCsv.parse(file("ramp.csv").lines().toList()));
    } catch (RampFormatException e) {
      throw new IllegalStateException(e);
    }
  }

  /** To the microsecond, which is what the file has. */
  static List<Sample> samples() {
    return file("samples.csv").lines().skip(1).map(FixedRun::sample).toList();
  }

  static RunDocument document() {
    Verification right = new Verification("all", "ab", 163, 0, null, 163, 163);
    return Runs.of(schedule(), samples(), right, "luna", "pooled");
  }

  private static Sample sample(String row) {
    String[] cells = row.split(",", -1);
    return new Sample(
        Integer.parseInt(cells[0]),
        nanos(cells[2]),
        nanos(cells[3]),
        nanos(cells[4]),
        switch (cells[5]) {
          case "signed" -> signed(cells);
          case "refused" -> new Outcome.Refused(cells[6]);
          case "failed" -> new Outcome.Failed(cells[6]);
          case "timeout" -> new Outcome.TimedOut();
          case "connection error" -> new Outcome.ConnectionFailed(cells[6]);
          case "unsent" -> new Outcome.Unsent();
          default -> throw new IllegalStateException(row);
        });
  }

  private static long nanos(String micros) {
    return micros.isEmpty() ? Sample.NEVER : 1_000 * Long.parseLong(micros);
  }

  private static Outcome signed(String[] cells) {
    long[] stages =
        Arrays.stream(cells, 8, 17).mapToLong(c -> c.isEmpty() ? 0 : Long.parseLong(c)).toArray();
    Instant received = Instant.parse("2026-01-02T03:04:05Z");
    Instant started = later(received, stages[0] + stages[1]);
    Instant gotKey = later(started, stages[2]);
    Instant made = later(gotKey, stages[3]);
    Instant certified = later(made, stages[4]);
    Instant destroyed = later(certified, stages[5]);
    Timestamps times =
        new Timestamps(
            received, started, gotKey, made, certified, destroyed, later(destroyed, stages[6]));
    SignResponse response =
        new SignResponse(
            cells[17],
            new byte[1],
            "ECDSA",
            List.of(new byte[1]),
            Boolean.parseBoolean(cells[7]),
            times,
            0,
            0);
    return new Outcome.Signed(response, new CommitTimes(stages[0], stages[7]));
  }

  private static Instant later(Instant time, long micros) {
    return time.plus(Duration.ofNanos(1_000 * micros));
  }
}
