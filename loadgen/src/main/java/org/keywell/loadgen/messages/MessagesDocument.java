package org.keywell.loadgen.messages;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * All data of a run, as in {@code messages.json}.
 *
 * @param format the version of this format
 * @param startedAt RFC 3339
 * @param broker its name and version
 * @param fresh what fresh keys cost; null, and not in the file, if that was not measured
 */
public record MessagesDocument(
    int format,
    String startedAt,
    double durationSeconds,
    RunEnvironment environment,
    String broker,
    MessagesPlan plan,
    List<MessageRow> rows,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FreshResult fresh) {
  private static final int FORMAT = 1;

  public MessagesDocument(
      String startedAt,
      double durationSeconds,
      RunEnvironment environment,
      String broker,
      MessagesPlan plan,
      List<MessageRow> rows,
      @Nullable FreshResult fresh) {
    this(FORMAT, startedAt, durationSeconds, environment, broker, plan, List.copyOf(rows), fresh);
  }

  /** Returns a line for each measurement. */
  public String csv() {
    StringBuilder csv =
        new StringBuilder(
            "queues,quality,clients,round,round_trips,seconds,per_second,client_cpu_s,broker_cpu_s\n");
    for (MessageRow row : rows) {
      for (int i = 0; i < row.rounds().size(); i++) {
        MessageTrial trial = row.rounds().get(i);
        csv.append(
            "%s,%s,%d,%d,%d,%.3f,%.1f,%.2f,%.2f\n"
                .formatted(
                    row.layout(),
                    row.guard(),
                    row.clients(),
                    i + 1,
                    trial.roundTrips(),
                    trial.seconds(),
                    trial.perSecond(),
                    trial.clientSeconds(),
                    trial.brokerSeconds()));
      }
    }
    return csv.toString();
  }
}
