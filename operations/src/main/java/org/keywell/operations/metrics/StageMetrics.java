package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;

/** Times each stage of a request. */
final class StageMetrics {

  private final Timer accept;
  private final Timer queue;
  private final Timer record;
  private final Map<Stage, Timer> inProcess = new EnumMap<>(Stage.class);

  StageMetrics(Meters meters) {
    this.accept = timer(meters, "accept");
    this.queue = timer(meters, "queue");
    inProcess.put(Stage.REQUEST_GOT_KEY_PAIR, timer(meters, "key"));
    inProcess.put(Stage.SIGNED, timer(meters, "sign"));
    inProcess.put(Stage.CERTIFIED, timer(meters, "certify"));
    inProcess.put(Stage.KEY_DESTROYED, timer(meters, "destroy"));
    this.record = timer(meters, "record");
  }

  private static Timer timer(Meters meters, String stage) {
    return meters.timer("keywell.sign", "Stages of accepted requests", "stage", stage);
  }

  /**
   * Records the stages that a request reached.
   *
   * @param totalNanos from receipt until the outcome was durable
   * @param process records the time from the start of processing to its end
   */
  void record(RequestTimes times, long totalNanos, Timer process) {
    OptionalLong accepted = times.acceptedNanos();
    OptionalLong started = times.elapsedNanos(Stage.REQUEST_START_TO_PROCESS);
    OptionalLong finished = times.elapsedNanos(Stage.REQUEST_FINISHED);
    if (accepted.isEmpty() || started.isEmpty() || finished.isEmpty()) {
      return;
    }
    accept.record(accepted.getAsLong(), TimeUnit.NANOSECONDS);
    queue.record(started.getAsLong() - accepted.getAsLong(), TimeUnit.NANOSECONDS);
    for (Map.Entry<Stage, Timer> stage : inProcess.entrySet()) {
      OptionalLong took = times.tookNanos(stage.getKey());
      if (took.isPresent()) {
        stage.getValue().record(took.getAsLong(), TimeUnit.NANOSECONDS);
      }
    }
    process.record(finished.getAsLong() - started.getAsLong(), TimeUnit.NANOSECONDS);
    record.record(totalNanos - finished.getAsLong(), TimeUnit.NANOSECONDS);
  }
}
