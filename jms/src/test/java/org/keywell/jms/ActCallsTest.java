package org.keywell.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.json.ActRequestBody;
import org.keywell.json.ActRequestParser;
import org.keywell.json.MessageBody;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.settings.ActProperties;
import org.keywell.signing.act.ActService;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.record.ActRecord;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.testkit.ManualTime;

final class ActCallsTest {

  private static final UUID ACT = UUID.randomUUID();
  private static final String OPEN =
      """
      {"actId":"%s","digestAlgorithm":"SHA-256","digestCount":1,"keySpec":"EC-P256",\
      "signer":{"commonName":"Astrid Exempel"}}\
      """
          .formatted(ACT);
  private static final String SIGN =
      "{\"actId\":\"%s\",\"digests\":[\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"]}"
          .formatted(ACT);
  private static final String CANCEL = "{\"actId\":\"%s\",\"cancel\":true}".formatted(ACT);

  private final ManualTime time = new ManualTime();
  private final List<Duration> pauses = new ArrayList<>();
  private final List<byte[]> signed = new ArrayList<>();
  private @Nullable Refusal refusal;
  private SignOutcome end = new SignOutcome.Cancelled(null, null);
  private @Nullable SignRequest opened;

  private SignRecord open(SignRequest request, RequestTimes times) {
    refuse();
    opened = request;
    return record(request, times, new SignOutcome.Failed(FailureReason.INTERRUPTED, null, null));
  }

  private SignRecord sign(UUID act, ActService.Digests digests, Caller caller, RequestTimes times) {
    refuse();
    signed.addAll(digests.read(DigestAlgorithm.SHA_256, 1));
    return ended();
  }

  private SignRecord cancel(UUID act, Caller caller) {
    refuse();
    return ended();
  }

  private void refuse() {
    if (refusal != null) {
      throw new RefusedException(refusal);
    }
  }

  private SignRecord ended() {
    SignRequest request = acts().parse(body(OPEN), Samples.PORTAL);
    return record(request, new RequestTimes(time, time), end);
  }

  private static SignRecord record(SignRequest request, RequestTimes times, SignOutcome outcome) {
    return SignRecord.of(request, times, outcome).as(new ActRecord("one", null, List.of()));
  }

  private static ActRequestBody body(String json) {
    return (ActRequestBody) Objects.requireNonNull(MessageBody.read(json, Samples.JSON));
  }

  private ActCalls acts() {
    return new ActCalls(
        new ActRequestParser(
            Samples.parser(), new ActProperties(1, Duration.ofMinutes(1), Duration.ofMinutes(5))),
        this::sign,
        this::cancel,
        Samples.JSON);
  }

  private Answer call(String json) throws InterruptedException {
    SigningCall call =
        new SigningCall(
            Samples.parser(),
            (_, _) -> {
              throw new AssertionError("an act is no request in one call");
            },
            (_, _) -> {
              throw new RefusedException(Reason.REQUEST_UNKNOWN, "unknown");
            },
            this::open,
            (_, _) -> {
              throw new RefusedException(Reason.REQUEST_UNKNOWN, "unknown");
            },
            acts(),
            new CallerRates(time),
            _ -> 1,
            Samples.JSON,
            time,
            time);
    Verdict verdict =
        call.sign(
            Objects.requireNonNull(MessageBody.read(json, Samples.JSON)),
            Samples.PORTAL,
            pause -> {
              pauses.add(pause);
              refusal = null;
              return true;
            });
    assertThat(verdict).isInstanceOf(Verdict.Answered.class);
    return ((Verdict.Answered) verdict).answer();
  }

  @Test
  void theFirstCallOpensAnActOfItsId() throws Exception {
    assertThat(call(OPEN).result()).isEqualTo("interrupted");

    assertThat(Objects.requireNonNull(opened).requestId()).isEqualTo(ACT);
    assertThat(opened.digests()).isEmpty();
  }

  @Test
  void theSecondCallBringsItsDigests() throws Exception {
    call(SIGN);
    assertThat(signed).containsExactly(new byte[32]);
  }

  @Test
  void anotherNumberOfDigestsIsRefused() throws Exception {
    Answer answer = call("{\"actId\":\"%s\",\"digests\":[]}".formatted(ACT));

    assertThat(answer.result()).isEqualTo("digest-count");
    assertThat(signed).isEmpty();
  }

  @Test
  void aCancelledActIsShown() throws Exception {
    Answer answer = call(CANCEL);

    assertThat(answer.type()).isEqualTo("Act");
    assertThat(answer.json()).contains("\"actId\":\"" + ACT, "\"status\":\"cancelled\"");
  }

  @Test
  void anActThatEndedOtherwiseHasItsProblem() throws Exception {
    end = new SignOutcome.Failed(FailureReason.INTERRUPTED, null, null);
    assertThat(call(CANCEL).result()).isEqualTo("interrupted");
    assertThat(call(SIGN).result()).isEqualTo("interrupted");
    end = new SignOutcome.Failed(FailureReason.ACT_REVOKED, null, null);
    assertThat(call(SIGN).result()).isEqualTo("act-revoked");
    end = new SignOutcome.Cancelled(null, null);
    assertThat(call(SIGN).result()).isEqualTo("act-cancelled");
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true,\"digests\":[]"})
  void whatNeitherSignsNorCancelsIsRefused(String cancel) throws Exception {
    Answer answer = call("{\"actId\":\"%s\",\"cancel\":%s}".formatted(ACT, cancel));

    assertThat(answer.result()).isEqualTo("digest-count");
  }

  @Test
  void anActAtAnotherInstanceIsAnsweredWithItsName() throws Exception {
    refusal = new Refusal(Reason.ACT_ELSEWHERE, "open at two", null, "two");

    assertThat(call(SIGN).json()).contains("act-elsewhere", "\"heldBy\":\"two\"");
  }

  /** Waiting, a first call would keep the calls from being read that make room. */
  @ParameterizedTest
  @EnumSource(names = {"ACT_LIMIT", "ACT_SHARE"})
  void aFirstCallWithoutRoomDoesNotWait(Reason reason) throws Exception {
    refusal = new Refusal(reason, "no room", Duration.ofSeconds(1));

    assertThat(call(OPEN).result()).isEqualTo(reason.label());
    assertThat(pauses).isEmpty();
  }

  @Test
  void aSecondCallWaitsForTheDatabase() throws Exception {
    refusal = new Refusal(Reason.RECORD_UNAVAILABLE, "away", null);

    assertThat(call(CANCEL).type()).isEqualTo("Act");
    assertThat(pauses).hasSize(1);
  }

  @Test
  void fieldsOfOtherCallsAreUnknown() {
    for (String body :
        List.of(
            OPEN.replace("{\"actId", "{\"requestId\":\"%s\",\"actId".formatted(ACT)),
            SIGN.replace("}", ",\"keySpec\":\"EC-P256\"}"),
            CANCEL.replace("}", ",\"digest\":\"\"}"))) {
      assertThatThrownBy(() -> MessageBody.read(body, Samples.JSON))
          .as(body)
          .hasMessageContaining("Unrecognized property");
    }
  }

  @Test
  void othersMessagesAreLeftUntilTheirActsHaveEnded() {
    Turn turn = new Turn("one", Duration.ofMinutes(5));

    assertThat(turn.own()).isEqualTo("KeywellInstance = 'one'");
    assertThat(turn.any(Instant.EPOCH.plus(Duration.ofMinutes(6))))
        .isEqualTo(
            "KeywellInstance IS NULL OR KeywellInstance = 'one'"
                + " OR JMSTimestamp NOT BETWEEN 60000 AND 660000");
  }
}
