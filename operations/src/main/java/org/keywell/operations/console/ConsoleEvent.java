package org.keywell.operations.console;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An event for the page. */
sealed interface ConsoleEvent {

  /** The first event of a stream: what does not change, and the samples so far. */
  record History(ConsoleLimits limits, List<Sample> samples) implements ConsoleEvent {}

  /**
   * Each second's event.
   *
   * @param totals requests since the start
   * @param refusal the latest one; null if there was none
   * @param requests the latest, newest first
   */
  record Now(
      Sample sample,
      ServiceState state,
      RequestFeed.Totals totals,
      @Nullable Refusal refusal,
      List<Request> requests)
      implements ConsoleEvent {}

  /**
   * A {@link RequestFeed.Refusal} as of now.
   *
   * @param limit the limit that was reached, in lower case
   */
  record Refusal(String limit, long ageMillis) {

    static Refusal of(RequestFeed.Refusal refusal, long nanos) {
      return new Refusal(
          refusal.limit().name().toLowerCase(Locale.ROOT),
          Math.max(0, nanos - refusal.atNanos()) / 1_000_000);
    }
  }

  /**
   * A {@link RecentRequest} as of now.
   *
   * @param id the start of its id, enough to distinguish those listed: the whole id is its caller's
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
