package org.keywell.service.sign;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.RequestTimes.Stage;

/** The {@code Server-Timing} header: how long each stage of a request took, in milliseconds. */
final class ServerTiming {

  private ServerTiming() {}

  static String of(Map<Stage, Instant> times) {
    StringJoiner header = new StringJoiner(", ");
    Stage before = Stage.REQUEST_RECEIVED;
    for (Stage stage : inOrder(times)) {
      if (stage != Stage.REQUEST_RECEIVED) {
        header.add(metric(name(stage), times, before, stage));
        before = stage;
      }
    }
    return header.toString();
  }

  /** Certified before it signed, where a container was asked for. */
  private static List<Stage> inOrder(Map<Stage, Instant> times) {
    return times.keySet().stream().sorted(Comparator.comparing(times::get)).toList();
  }

  /**
   * The same for a request that was worked on just now, with what is not on record: how long it
   * took until its receipt was durable (a part of the wait), and until its outcome was.
   *
   * @param own of the request itself; one that repeats another has not passed these stages
   */
  static String of(Map<Stage, Instant> times, RequestTimes own) {
    OptionalLong accepted = own.acceptedNanos();
    OptionalLong finished = own.elapsedNanos(Stage.REQUEST_FINISHED);
    if (accepted.isEmpty() || finished.isEmpty()) {
      return of(times);
    }
    long record = own.sinceReceipt().toNanos() - finished.getAsLong();
    return "%s, %s, %s"
        .formatted(metric("accept", accepted.getAsLong()), of(times), metric("record", record));
  }

  private static String metric(String name, Map<Stage, Instant> times, Stage from, Stage to) {
    return metric(name, Duration.between(times.get(from), times.get(to)).toNanos());
  }

  private static String metric(String name, long nanos) {
    long micros = nanos / 1_000;
    return String.format(Locale.ROOT, "%s;dur=%.3f", name, micros / 1_000.0);
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
