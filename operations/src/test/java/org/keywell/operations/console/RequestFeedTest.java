package org.keywell.operations.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.keywell.ca.CaChain;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.operations.console.RequestFeed.Totals;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.AdmissionLimit;
import org.keywell.testkit.ManualTime;

final class RequestFeedTest {

  private static final byte[] NO_BYTES = {};
  private static final CaChain NO_CHAIN = new CaChain(NO_BYTES, List.of());
  private static final SignOutcome SIGNED =
      new SignOutcome.Signed(
          List.of(NO_BYTES),
          List.of(),
          new IssuedCertificate(NO_BYTES, "1", NO_CHAIN),
          KeyUse.of(null, NO_BYTES, Destruction.DONE));

  private final ManualTime time = new ManualTime();
  private final RequestFeed feed = new RequestFeed(time);

  private UUID ends(int millis, SignOutcome outcome) {
    UUID id = UUID.randomUUID();
    RequestTimes times = new RequestTimes(time, time);
    times.markAccepted();
    times.mark(Stage.REQUEST_START_TO_PROCESS);
    time.advance(Duration.ofMillis(millis));
    times.mark(Stage.REQUEST_FINISHED);
    feed.ended(id, times, outcome);
    return id;
  }

  private static SignOutcome failed(FailureReason reason) {
    return new SignOutcome.Failed(reason, "", null);
  }

  private RecentRequest newest() {
    return feed.newestFirst().getFirst();
  }

  @Test
  void countsRequestsByTheirEnd() {
    ends(1, SIGNED);
    ends(1, SIGNED);
    ends(1, new SignOutcome.Expired());
    ends(1, failed(FailureReason.POOL_EMPTY));
    feed.refused(AdmissionLimit.QUEUE_LIMIT);
    feed.closedUnrecorded(2);

    assertThat(feed.totals()).isEqualTo(new Totals(2, 3, 1, 1));
    assertThat(feed.totals().unsigned()).isEqualTo(5);
  }

  @Test
  void tellsWhenWhichLimitWasMetLast() {
    assertThat(feed.lastRefusal()).isEmpty();
    feed.refused(AdmissionLimit.QUEUE_LIMIT);
    time.advance(Duration.ofSeconds(1));
    feed.refused(AdmissionLimit.DEADLINE);

    assertThat(feed.lastRefusal())
        .contains(new RequestFeed.Refusal(AdmissionLimit.DEADLINE, time.getAsLong()));
  }

  @Test
  void tellsHowARequestEnded() {
    UUID id = ends(12, SIGNED);

    assertThat(newest())
        .isEqualTo(
            new RecentRequest(
                0,
                id,
                time.getAsLong(),
                "signed",
                false,
                12_000,
                new StageTimes(0, 0, 0, 0, 0, 0, 12_000, 0)));

    ends(1, failed(FailureReason.POOL_EMPTY));
    assertThat(newest()).extracting("outcome", "preGenerated").containsExactly("pool-empty", null);
    ends(1, new SignOutcome.Expired());
    assertThat(newest()).extracting("outcome").isEqualTo("expired");
  }

  @Test
  void keepsTheLatestOnly() {
    for (int i = 0; i < 3 * RequestFeed.LISTED; i++) {
      ends(1, SIGNED);
    }

    assertThat(feed.newestFirst()).hasSize(RequestFeed.LISTED);
    assertThat(newest()).extracting("number").isEqualTo(3L * RequestFeed.LISTED - 1);
  }

  @Test
  void whatFailedAtOnceDoesNotMakeTheLatencyLookBetter() {
    ends(100, SIGNED);
    ends(1, failed(FailureReason.POOL_EMPTY));
    ends(1, failed(FailureReason.POOL_EMPTY));

    assertThat(feed.endLatencyInterval().orElseThrow().p50Millis())
        .isCloseTo(100, withinPercentage(1));
  }

  @Test
  void whatExpiredCountsAsSlow() {
    ends(3_000, new SignOutcome.Expired());

    assertThat(feed.endLatencyInterval().orElseThrow().p99Millis())
        .isCloseTo(3_000, withinPercentage(1));
  }
}
