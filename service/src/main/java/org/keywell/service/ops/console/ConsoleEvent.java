package org.keywell.service.ops.console;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the page is sent. */
sealed interface ConsoleEvent {

  /** The first event of a stream: what does not change, and the samples up to now. */
  record History(ConsoleLimits limits, List<Sample> samples) implements ConsoleEvent {}

  /**
   * Each second's event.
   *
   * @param totals requests since the start
   * @param refusal the latest one; null if there was none
   * @param requests the latest, the newest first
   */
  record Now(
      Sample sample,
      ServiceState state,
      RequestFeed.Totals totals,
      @Nullable Refusal refusal,
      List<Request> requests)
      implements ConsoleEvent {}

  /**
   * A {@link RequestFeed.Refusal} as seen now.
   *
   * @param limit the limit that was met, in lower case
   */
  record Refusal(String limit, long ageMillis) {

    static Refusal of(RequestFeed.Refusal refusal, long nanos) {
      return new Refusal(
          refusal.limit().name().toLowerCase(Locale.ROOT),
          Math.max(0, nanos - refusal.atNanos()) / 1_000_000);
    }
  }

  /**
   * A {@link RecentRequest} as seen now.
   *
   * @param id the beginning of its id, enough to tell the listed ones apart: the whole id is its
   *     caller's
   */
  record Request(
      String id,
      long ageMillis,
      String outcome,
      @Nullable Boolean preGenerated,
      long totalMicros,
      StageTimes stages) {

    private static final int ID_CHARACTERS = 8;

    static Request of(RecentRequest request, long nanos) {
      return new Request(
          request.id().toString().substring(0, ID_CHARACTERS),
          Math.max(0, nanos - request.endedNanos()) / 1_000_000,
          request.outcome(),
          request.preGenerated(),
          request.totalMicros(),
          request.stages());
    }
  }
}
