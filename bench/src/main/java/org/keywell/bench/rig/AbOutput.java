package org.keywell.bench.rig;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of ApacheBench.
 *
 * @param report its standard output
 * @param percentiles its file of percentiles (option {@code -e}), with more precise times
 */
record AbOutput(String report, List<String> percentiles) {
  private static final int ALL = 100;
  private static final String NUMBER = "\\s+([0-9]+(?:\\.[0-9]+)?)";

  /**
   * Returns the run, if every request was signed.
   *
   * @param requests how many were to be sent
   */
  AbRun run(int requests) throws IOException {
    int complete = (int) number("Complete requests:");
    int failed = (int) number("Failed requests:");
    // The line is printed only if there are any.
    int not2xx = report.contains("Non-2xx responses:") ? (int) number("Non-2xx responses:") : 0;
    if (complete != requests || failed > 0 || not2xx > 0) {
      throw new IOException(
          "%d requests: %d were answered, of these %d broken and %d refused"
              .formatted(requests, complete, failed, not2xx));
    }
    return new AbRun(
        number("Requests per second:"),
        number("Time per request:"),
        percentile(50, requests),
        percentile(99, requests));
  }

  private double number(String label) throws IOException {
    Matcher line =
        Pattern.compile("^" + Pattern.quote(label) + NUMBER, Pattern.MULTILINE).matcher(report);
    if (!line.find()) {
      throw new IOException("ApacheBench does not tell its '" + label + "': " + report.strip());
    }
    return Double.parseDouble(line.group(1));
  }

  /**
   * With few requests, ApacheBench reads past the last one for a high percentile and prints what it
   * finds there; in that case the last one is the percentile.
   */
  private double percentile(int percent, int requests) throws IOException {
    boolean behindTheLast = (int) (0.5 + (double) requests * percent / ALL) >= requests;
    String prefix = (behindTheLast ? ALL : percent) + ",";
    for (String line : percentiles) {
      if (line.startsWith(prefix)) {
        return Double.parseDouble(line.substring(prefix.length()));
      }
    }
    throw new IOException("ApacheBench does not tell its percentile " + percent);
  }
}
