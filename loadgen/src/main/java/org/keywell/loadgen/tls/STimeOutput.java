package org.keywell.loadgen.tls;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.keywell.loadgen.service.BoundedRun;
import org.keywell.loadgen.service.BoundedRun.Arrival;

/**
 * Reads what {@code openssl s_time} prints. For each connection it writes a mark at once: {@code r}
 * for a resumed session, {@code *} for a new one of TLS 1.3. Its own clock counts whole seconds, so
 * the time is taken from the arrival of the marks.
 */
final class STimeOutput {
  private static final Pattern MARKS =
      Pattern.compile("(?:statistics for \\d+ seconds|\\nstarting)\\n([^\\n]*)\\n");
  private static final Pattern BYTES =
      Pattern.compile(
          "(\\d+) connections in -?[\\d.]+s; \\S+ connections/user sec, bytes read (\\d+)");
  private static final Pattern SECONDS =
      Pattern.compile("\\d+ connections in (\\d+) real seconds, (\\d+) bytes read per connection");

  private STimeOutput() {}

  /**
   * Returns what it counted.
   *
   * @param resumed whether each session was to be resumed
   * @param perConnection bytes that one answer has
   * @throws IOException if it failed, or did not measure what it was to measure
   */
  static Trial read(BoundedRun run, boolean resumed, long perConnection) throws IOException {
    Matcher marks = MARKS.matcher(run.text());
    Matcher bytes = BYTES.matcher(run.text());
    Matcher seconds = SECONDS.matcher(run.text());
    if (run.exitCode() != 0 || !marks.find() || !bytes.find() || !seconds.find()) {
      throw new IOException(
          "openssl s_time failed (exit code %d): %s".formatted(run.exitCode(), reason(run)));
    }
    long connections = Long.parseLong(bytes.group(1));
    long read = Long.parseLong(bytes.group(2));
    requireBytes(connections, read, perConnection);
    long right = right(marks.group(1), connections, resumed);
    return new Trial(
        read,
        connections,
        connections - right,
        seconds(run.arrivals(), marks, connections, Double.parseDouble(seconds.group(1))));
  }

  /** OpenSSL's errors end with the reason; the file and line after it are its own. */
  private static String reason(BoundedRun run) {
    return run.text()
        .lines()
        .filter(line -> line.contains(":error:"))
        .findFirst()
        .map(line -> line.replaceFirst("^.*:error:", "error:"))
        .orElseGet(run::lastLine);
  }

  private static void requireBytes(long connections, long read, long perConnection)
      throws IOException {
    if (connections == 0 || read == 0) {
      throw new IOException(
          "s_time read nothing: %d connections, %d bytes".formatted(connections, read));
    }
    if (read != connections * perConnection) {
      throw new IOException(
          "s_time read %d bytes in %d connections, %d in each; the file and its head have %d"
              .formatted(read, connections, read / connections, perConnection));
    }
  }

  /**
   * Returns how many connections had a session as they should. A server may decline to resume one,
   * but where most are declined, something else is measured.
   */
  private static long right(String marks, long connections, boolean resumed) throws IOException {
    long right = marks.chars().filter(mark -> mark == (resumed ? 'r' : '*')).count();
    if (marks.length() != connections
        || (resumed ? 2 * right < connections : right < connections)) {
      throw new IOException(
          "%d of %d connections %s"
              .formatted(
                  right,
                  connections,
                  resumed ? "resumed a session" : "had a new session of TLS 1.3"));
    }
    return right;
  }

  /**
   * From the first mark to the last, extended by the first connection. A pause of the reader joins
   * marks, which then count as one arrival.
   */
  private static double seconds(
      List<Arrival> arrivals, Matcher marks, long connections, double printed) {
    Arrival first = reaching(arrivals, marks.start(1) + 1);
    Arrival last = reaching(arrivals, marks.end(1));
    int before = Math.min(first.end(), marks.end(1)) - marks.start(1);
    if (before == connections) {
      return printed;
    }
    return (last.nanos() - first.nanos()) / 1e9 * connections / (connections - before);
  }

  private static Arrival reaching(List<Arrival> arrivals, int end) {
    return arrivals.stream().filter(arrival -> arrival.end() >= end).findFirst().orElseThrow();
  }
}
