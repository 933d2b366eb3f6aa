package org.keywell.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.json.ActRequestParser;
import org.keywell.json.SignRequestBody;
import org.keywell.settings.ActProperties;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.Role;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.testkit.ManualTime;

final class SigningCallTest {

  private static final Duration LONG = Duration.ofHours(1);

  private static final ActCalls ACTS =
      new ActCalls(
          new ActRequestParser(
              Samples.parser(), new ActProperties(1, Duration.ofMinutes(1), Duration.ofMinutes(5))),
          (_, _, _, _) -> {
            throw new AssertionError("no act is signed");
          },
          (_, _) -> {
            throw new AssertionError("no act is cancelled");
          },
          Samples.JSON);

  private final ManualTime time = new ManualTime();
  private final List<Duration> pauses = new ArrayList<>();
  private final SignRequestBody body =
      Samples.JSON.readValue(Samples.body(UUID.randomUUID()), SignRequestBody.class);
  private Reason refusal = Reason.QUEUE_FULL;
  private int refusals;
  private int keys = 1;
  private boolean answeredBefore;
  private int signed;

  private SignRecord sign(SignRequest request, RequestTimes times) {
    if (refusals > 0) {
      refusals--;
      throw new RefusedException(refusal, "not now");
    }
    signed++;
    return end(request, times);
  }

  private SignRecord repeat(SignRequest request, RequestTimes times) {
    if (!answeredBefore) {
      throw new RefusedException(Reason.REQUEST_UNKNOWN, "unknown");
    }
    return end(request, times);
  }

  /** An answer is an answer; this one needs no certificate. */
  private static SignRecord end(SignRequest request, RequestTimes times) {
    return SignRecord.of(
        request, times, new SignOutcome.Failed(FailureReason.INTERRUPTED, null, null));
  }

  private Verdict call(Caller caller, Duration patience) throws InterruptedException {
    SigningCall call =
        new SigningCall(
            Samples.parser(),
            this::sign,
            this::repeat,
            this::sign,
            this::repeat,
            ACTS,
            new CallerRates(time),
            _ -> keys,
            Samples.JSON,
            time,
            time);
    return call.sign(
        body,
        caller,
        pause -> {
          pauses.add(pause);
          time.advance(pause);
          return pauses.stream().reduce(Duration.ZERO, Duration::plus).compareTo(patience) < 0;
        });
  }

  @Test
  void anAnswerNeedsNoWait() throws Exception {
    assertThat(call(Samples.PORTAL, LONG)).isInstanceOf(Verdict.Answered.class);
    assertThat(pauses).isEmpty();
  }

  @Test
  void whatTheCoreRefusesForGoodIsAnswered() throws Exception {
    refusal = Reason.REQUEST_ID_REUSED;
    refusals = 1;

    assertThat(json(call(Samples.PORTAL, LONG)))
        .isEqualTo("{\"type\":\"urn:keywell:problem:request-id-reused\",\"detail\":\"not now\"}");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"QUEUE_FULL", "HSM_UNAVAILABLE", "RECORD_UNAVAILABLE", "REQUEST_IN_PROGRESS"})
  void whileNobodysRequestIsSignedItWaitsForAsLongAsItMay(Reason reason) throws Exception {
    refusal = reason;
    refusals = 1_000;

    assertThat(call(Samples.PORTAL, LONG)).isInstanceOf(Verdict.Answered.class);
    assertThat(pauses)
        .hasSize(1_000)
        .allMatch(pause -> pause.compareTo(Duration.ofSeconds(2)) <= 0);
    assertThat(signed).isOne();
  }

  @Test
  void itGoesBackWhenItMayWaitNoLonger() throws Exception {
    refusals = Integer.MAX_VALUE;

    assertThat(call(Samples.PORTAL, Duration.ofSeconds(10))).isInstanceOf(Verdict.NotNow.class);
    assertThat(signed).isZero();
  }

  /** Others are behind it. */
  @ParameterizedTest
  @EnumSource(names = {"QUEUE_SHARE", "WAIT_TOO_LONG", "IDENTITY_PROVIDER_UNAVAILABLE"})
  void whatConcernsItAloneMakesItGoBackSoon(Reason reason) throws Exception {
    refusal = reason;
    refusals = Integer.MAX_VALUE;

    assertThat(call(Samples.PORTAL, LONG)).isInstanceOf(Verdict.NotNow.class);
    assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isBetween(SigningCall.HELD_FOR_ITSELF, SigningCall.HELD_FOR_ITSELF.plusSeconds(3));
  }

  /** Accepted without a key, it would fail, and its id with it. */
  @Test
  void withoutKeysItIsNotAccepted() throws Exception {
    keys = 0;

    assertThat(call(Samples.PORTAL, LONG)).isInstanceOf(Verdict.NotNow.class);
    assertThat(signed).isZero();
  }

  /** Two at once for one key: the second waits until the first has it. */
  @Test
  void noMoreAreAcceptedThanThereAreKeys() throws Exception {
    SigningCall[] call = new SigningCall[1];
    call[0] =
        new SigningCall(
            Samples.parser(),
            (request, times) -> {
              signed++;
              if (signed == 1) {
                assertThat(call[0].sign(body, Samples.PORTAL, _ -> false))
                    .isInstanceOf(Verdict.NotNow.class);
              }
              return end(request, times);
            },
            this::repeat,
            this::sign,
            this::repeat,
            ACTS,
            new CallerRates(time),
            _ -> keys,
            Samples.JSON,
            time,
            time);

    assertThat(call[0].sign(body, Samples.PORTAL, _ -> false)).isInstanceOf(Verdict.Answered.class);
    assertThat(call[0].sign(body, Samples.PORTAL, _ -> false)).isInstanceOf(Verdict.Answered.class);
    assertThat(signed).isEqualTo(2);
  }

  @Test
  void whatWasAnsweredIsAnsweredAgainWhateverIsMissing() throws Exception {
    answeredBefore = true;
    keys = 0;
    assertThat(json(call(Samples.PORTAL, LONG))).contains("interrupted");

    keys = 1;
    refusal = Reason.HSM_UNAVAILABLE;
    refusals = 1;
    assertThat(json(call(Samples.PORTAL, LONG))).contains("interrupted");
    assertThat(pauses).isEmpty();
    assertThat(signed).isZero();
  }

  @Test
  void aCallerAboveItsRateWaitsItsTurn() throws Exception {
    Caller slow = Samples.caller("slow", new CallerLimits(2, 1, 0, 50), Role.SIGN);
    AtomicLong elapsed = new AtomicLong();
    SigningCall call =
        new SigningCall(
            Samples.parser(),
            this::sign,
            this::repeat,
            this::sign,
            this::repeat,
            ACTS,
            new CallerRates(elapsed::get),
            _ -> keys,
            Samples.JSON,
            time,
            time);
    Waiting waiting =
        pause -> {
          pauses.add(pause);
          elapsed.addAndGet(pause.toNanos());
          return true;
        };

    for (int i = 0; i < 3; i++) {
      assertThat(call.sign(body, slow, waiting)).isInstanceOf(Verdict.Answered.class);
    }
    assertThat(pauses).containsExactly(Duration.ofMillis(500), Duration.ofMillis(500));
  }

  @Test
  void aRefusalSaysWhenToComeAgain() {
    Refusal refused = new Refusal(Reason.QUOTA_USED, "used up", Duration.ofMillis(1_500));

    assertThat(Answer.of(refused).json()).contains("\"retryAfterSeconds\":2");
  }

  private static String json(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Answered.class);
    return Objects.requireNonNull((Verdict.Answered) verdict).answer().json();
  }
}
