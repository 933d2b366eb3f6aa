package org.keywell.service.ops.console;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the page is sent. */
sealed interface ConsoleEvent {

  /** The first event of a stream: what does not change, and the samples up to now. */
  record History(ConsoleLimits limits, List<Sample> samples) implements ConsoleEvent {}

  /**
   * Each second's event.
   *
   * @param totals requests since the start
   * @param requests the latest, the newest first
   */
  record Now(Sample sample, ServiceState state, RequestFeed.Totals totals, List<Request> requests)
      implements ConsoleEvent {}

  /** A {@link RecentRequest} as seen now. */
  record Request(
      UUID id,
      long ageMillis,
      String outcome,
      @Nullable Boolean preGenerated,
      long totalMicros,
      StageTimes stages) {

    static Request of(RecentRequest request, long nanos) {
      return new Request(
          request.id(),
          Math.max(0, nanos - request.endedNanos()) / 1_000_000,
          request.outcome(),
          request.preGenerated(),
          request.totalMicros(),
          request.stages());
    }
  }
}
