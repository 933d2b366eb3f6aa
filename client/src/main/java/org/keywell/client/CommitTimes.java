package org.keywell.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much time the service's two commits took, from the header {@code Server-Timing}; the answer's
 * timestamps do not show it.
 *
 * @param acceptMicros from receipt until the receipt was durable, part of the waiting time; null if
 *     not reported
 * @param recordMicros from the end of processing until the outcome was durable; null if not
 *     reported
 */
public record CommitTimes(@Nullable Long acceptMicros, @Nullable Long recordMicros) {

  /** Nothing was reported. */
  public static final CommitTimes UNKNOWN = new CommitTimes(null, null);

  private static final Pattern METRIC =
      Pattern.compile(
          "(?:^|,)\\s*(accept|record);dur=([0-9]{1,9}(?:\\.[0-9]{1,6})?)(?=\\s*(?:,|$))");

  static CommitTimes of(String serverTiming) {
    Long accept = null;
    Long record = null;
    Matcher metric = METRIC.matcher(serverTiming);
    while (metric.find()) {
      long micros = Math.round(Double.parseDouble(metric.group(2)) * 1_000);
      if (metric.group(1).equals("accept")) {
        accept = micros;
      } else {
        record = micros;
      }
    }
    return new CommitTimes(accept, record);
  }
}
