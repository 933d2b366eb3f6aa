package org.keywell.rest.sign;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;

/** The {@code Server-Timing} header: how long each stage of a request took, in milliseconds. */
public final class ServerTiming {

  private static final int USUAL_CHARACTERS = 200;

  private ServerTiming() {}

  static String of(Map<Stage, Instant> times) {
    StringBuilder header = new StringBuilder(USUAL_CHARACTERS);
    addStages(header, times);
    return header.toString();
  }

  private static void addStages(StringBuilder header, Map<Stage, Instant> times) {
    Stage before = Stage.REQUEST_RECEIVED;
    for (Stage stage : inOrder(times)) {
      if (stage != Stage.REQUEST_RECEIVED) {
        add(header, name(stage), Duration.between(times.get(before), times.get(stage)).toNanos());
        before = stage;
      }
    }
  }

  /** Sorts by time: with a container, certification precedes signing. */
  private static Stage[] inOrder(Map<Stage, Instant> times) {
    Stage[] stages = times.keySet().toArray(Stage[]::new);
    Arrays.sort(stages, Comparator.comparing(times::get));
    return stages;
  }

  /**
   * As above, for a request processed just now, with times that are not on record: until its
   * receipt was durable (a part of the wait), and until its outcome was durable.
   *
   * @param own of the request itself; a repetition has not passed these stages
   */
  public static String of(Map<Stage, Instant> times, RequestTimes own) {
    OptionalLong accepted = own.acceptedNanos();
    OptionalLong finished = own.elapsedNanos(Stage.REQUEST_FINISHED);
    if (accepted.isEmpty() || finished.isEmpty()) {
      return of(times);
    }
    long record = own.sinceReceipt().toNanos() - finished.getAsLong();
    StringBuilder header = new StringBuilder(USUAL_CHARACTERS);
    add(header, "accept", accepted.getAsLong());
    addStages(header, times);
    add(header, "record", record);
    return header.toString();
  }

  /** Adds whole microseconds. Without a {@code Formatter}: each answer has eight of these. */
  private static void add(StringBuilder header, String name, long nanos) {
    if (!header.isEmpty()) {
      header.append(", ");
    }
    header.append(name).append(";dur=");
    header.append(BigDecimal.valueOf(nanos / 1_000, 3).toPlainString());
  }

  /** Returns the name of the work since the previous stage. */
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
