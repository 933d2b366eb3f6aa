package org.keywell.loadgen.storage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What pgbench has counted.
 *
 * @param perSecond transactions a second, without the time to connect
 * @param connectMillis until all clients were connected
 */
public record PgbenchResult(
    long transactions,
    long failed,
    double perSecond,
    double latencyMillis,
    double connectMillis,
    List<Statement> statements) {
  private static final String HEAD = "statement latencies in milliseconds";
  private static final Pattern STATEMENT =
      Pattern.compile("\\s*([0-9]+\\.[0-9]+)\\s+(?:[0-9]+\\s+)?(\\S.*)");

  /** A statement of each transaction, and its average latency. */
  public record Statement(String text, double millis) {}

  /**
   * Reads pgbench's output.
   *
   * @throws IOException if it is not complete
   */
  static PgbenchResult read(String output) throws IOException {
    List<Statement> statements = new ArrayList<>();
    int at = output.indexOf(HEAD);
    output
        .substring(at < 0 ? output.length() : at)
        .lines()
        .skip(1)
        .map(STATEMENT::matcher)
        .filter(Matcher::matches)
        .forEach(line ->
            statements.add(
                new Statement(line.group(2).strip(), Double.parseDouble(line.group(1)))));
    if (statements.isEmpty()) {
      throw new IOException("pgbench has reported no statements");
    }
    return new PgbenchResult(
        (long) number(output, "number of transactions actually processed: "),
        (long) number(output, "number of failed transactions: "),
        number(output, "tps = "),
        number(output, "latency average = "),
        number(output, "initial connection time = "),
        List.copyOf(statements));
  }

  /** Returns a statement's average latency; not a number if it has none. */
  double millis(String statement) {
    return statements.stream()
        .filter(one -> one.text().equals(statement))
        .mapToDouble(Statement::millis)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double number(String output, String name) throws IOException {
    Matcher number =
        Pattern.compile("^" + Pattern.quote(name) + "([0-9.]+)", Pattern.MULTILINE).matcher(output);
    if (!number.find()) {
      throw new IOException("pgbench has not reported its '%s'".formatted(name.strip()));
    }
    return Double.parseDouble(number.group(1));
  }
}
