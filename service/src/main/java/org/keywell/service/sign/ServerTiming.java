package org.keywell.service.sign;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.keywell.service.request.RequestTimes.Stage;

/** The {@code Server-Timing} header: how long each stage of a request took, in milliseconds. */
final class ServerTiming {

  private ServerTiming() {}

  static String of(Map<Stage, Instant> times) {
    StringJoiner header = new StringJoiner(", ");
    Stage before = Stage.REQUEST_RECEIVED;
    for (Stage stage : Stage.values()) {
      if (stage != Stage.REQUEST_RECEIVED && times.containsKey(stage)) {
        header.add(metric(name(stage), times, before, stage));
        before = stage;
      }
    }
    return header.toString();
  }

  private static String metric(String name, Map<Stage, Instant> times, Stage from, Stage to) {
    long micros = Duration.between(times.get(from), times.get(to)).toNanos() / 1000;
    return String.format(Locale.ROOT, "%s;dur=%.3f", name, micros / 1000.0);
  }

  /** What is done between the stage before and this one. */
  private static String name(Stage stage) {
    return switch (stage) {
      case REQUEST_RECEIVED -> "receive";
      case REQUEST_START_TO_PROCESS -> "wait";
      case REQUEST_GOT_KEY_PAIR -> "key";
      case SIGNED -> "sign";
      case CERTIFIED -> "certify";
      case KEY_DESTROYED -> "destroy";
      case REQUEST_FINISHED -> "finish";
    };
  }
}
