package org.keywell.loadgen.overload;

import java.util.Arrays;
import java.util.List;
import org.keywell.loadgen.text.Resource;

/**
 * A row of the thesis's Table 4-2, as printed. (Its accuracies differ by up to a tenth of a percent
 * from what its own figures yield, and its third latency is calculated from the actual queue.)
 *
 * @param perSecond CR, requests per second
 * @param seconds T
 * @param baseRatePerSecond BR
 * @param signingMillis Si
 * @param latencyAccuracy percent
 */
public record ThesisRow(
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

  private static final String TABLE =
      "/org/keywell/loadgen/overload/table-4-2-latency-prediction.csv";

  /** Returns the whole table. */
  public static List<ThesisRow> all() {
    return Resource.text(TABLE).lines().skip(1).map(ThesisRow::of).toList();
  }

  private static ThesisRow of(String line) {
    double[] cells = Arrays.stream(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
    return new ThesisRow(
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
