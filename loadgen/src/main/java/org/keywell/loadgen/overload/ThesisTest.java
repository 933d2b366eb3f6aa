package org.keywell.loadgen.overload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A row of the thesis's Table 4-2, as printed. (Its accuracies differ by up to a tenth of a percent
 * from what its own figures give, and its third latency is calculated from the actual queue.)
 *
 * @param perSecond CR, requests per second
 * @param seconds T
 * @param baseRatePerSecond BR
 * @param signingMillis Si
 * @param latencyAccuracy percent
 */
public record ThesisTest(
    int number,
    double perSecond,
    double seconds,
    double baseRatePerSecond,
    double signingMillis,
    double calculatedQueue,
    double actualQueue,
    double calculatedLatencySeconds,
    double actualLatencySeconds,
    double latencyAccuracy) {

  private static final String RESOURCE = "table-4-2-latency-prediction.csv";

  /** The whole table. */
  public static List<ThesisTest> all() {
    try (InputStream in = ThesisTest.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its resource " + RESOURCE);
      }
      return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .lines()
          .skip(1)
          .map(ThesisTest::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ThesisTest of(String line) {
    double[] cells = Arrays.stream(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
    return new ThesisTest(
        (int) cells[0],
        cells[1],
        cells[2],
        cells[3],
        cells[4],
        cells[5],
        cells[6],
        cells[7],
        cells[8],
        cells[9]);
  }
}
