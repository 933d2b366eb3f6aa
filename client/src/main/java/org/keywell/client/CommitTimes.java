package org.keywell.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long the service's two commits kept a request, from the header {@code Server-Timing}: no
 * timestamp in the answer tells.
 *
 * @param acceptMicros from receipt until that was durable, a part of the waiting time; null if the
 *     service does not tell
 * @param recordMicros from the end of processing until the outcome was durable; null if the service
 *     does not tell
 */
public record CommitTimes(@Nullable Long acceptMicros, @Nullable Long recordMicros) {

  /** Nothing is told. */
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
