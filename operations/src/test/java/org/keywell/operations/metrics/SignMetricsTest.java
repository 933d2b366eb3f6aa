package org.keywell.operations.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.CaChain;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.AdmissionLimit;
import org.keywell.testkit.ManualTime;
import org.keywell.testkit.Scrape;

final class SignMetricsTest {

  private static final byte[] NO_BYTES = {};
  private static final CaChain NO_CHAIN = new CaChain(NO_BYTES, List.of());
  private static final UUID ID = UUID.randomUUID();

  private final MeterRegistry registry = Registries.prometheus();
  private final SignMetrics metrics = new SignMetrics(registry);
  private final ManualTime time = new ManualTime();

  private RequestTimes reached(Stage... stages) {
    RequestTimes times = new RequestTimes(time, time);
    time.advance(Duration.ofMillis(7));
    times.markAccepted();
    metrics.accepted();
    int millis = 10;
    for (Stage stage : stages) {
      time.advance(Duration.ofMillis(millis));
      times.mark(stage);
      millis += 10;
    }
    time.advance(Duration.ofMillis(3));
    return times;
  }

  private static SignOutcome.Signed signed() {
    KeyUse onTheFly = KeyUse.of(null, NO_BYTES, Destruction.DONE);
    return new SignOutcome.Signed(
        List.of(NO_BYTES), List.of(), new IssuedCertificate(NO_BYTES, "1", NO_CHAIN), onTheFly);
  }

  private double stage(String stage) {
    return Registries.scrape(registry).value("keywell_sign_seconds_sum", "stage", stage);
  }

  @Test
  void theStagesOfASignatureAddUp() {
    RequestTimes times =
        reached(
            Stage.REQUEST_START_TO_PROCESS,
            Stage.REQUEST_GOT_KEY_PAIR,
            Stage.SIGNED,
            Stage.CERTIFIED,
            Stage.KEY_DESTROYED,
            Stage.REQUEST_FINISHED);

    metrics.ended(ID, times, signed());

    assertThat(stage("accept")).isEqualTo(0.007, within(1e-9));
    assertThat(stage("queue")).isEqualTo(0.010, within(1e-9));
    assertThat(stage("key")).isEqualTo(0.020, within(1e-9));
    assertThat(stage("sign")).isEqualTo(0.030, within(1e-9));
    assertThat(stage("certify")).isEqualTo(0.040, within(1e-9));
    assertThat(stage("destroy")).isEqualTo(0.050, within(1e-9));
    assertThat(stage("record")).isEqualTo(0.003, within(1e-9));
    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_sign_process_seconds_sum", "outcome", "signed"))
        .as("without queueing")
        .isEqualTo(0.200, within(1e-9));
    assertThat(scrape.value("keywell_sign_request_seconds_sum", "outcome", "signed"))
        .as("with queueing")
        .isEqualTo(0.220, within(1e-9));
    assertThat(scrape.value("keywell_sign_total", "outcome", "signed", "pre_generated", "false"))
        .isEqualTo(1);
    assertThat(scrape.value("keywell_sign_total")).isEqualTo(1);
    assertThat(scrape.value("keywell_sign_in_progress")).isZero();
  }

  @Test
  void aKeyThatWasNotCertifiedIsDestroyedAfterItsSignature() {
    RequestTimes times =
        reached(
            Stage.REQUEST_START_TO_PROCESS,
            Stage.REQUEST_GOT_KEY_PAIR,
            Stage.SIGNED,
            Stage.KEY_DESTROYED,
            Stage.REQUEST_FINISHED);
    KeyUse use = KeyUse.of(null, NO_BYTES, Destruction.DONE);

    metrics.ended(ID, times, new SignOutcome.Failed(FailureReason.KEY_REFUSED, "", use));

    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_sign_seconds_count", "stage", "certify")).isZero();
    assertThat(stage("destroy")).isEqualTo(0.040, within(1e-9));
    assertThat(scrape.value("keywell_sign_failures_total", "reason", "key-refused")).isEqualTo(1);
    assertThat(scrape.value("keywell_sign_failures_total")).isEqualTo(1);
    assertThat(scrape.value("keywell_sign_total", "outcome", "failed", "pre_generated", "false"))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void everyReasonOfThisRunShowsBeforeItOccurs(FailureReason reason) {
    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.find("keywell_sign_failures_total", "reason", reason.label()).isPresent())
        .isEqualTo(reason != FailureReason.INTERRUPTED && reason != FailureReason.ERASED);
  }

  @Test
  void requestsWithoutAKeyAreCountedApart() {
    metrics.ended(
        ID,
        reached(Stage.REQUEST_START_TO_PROCESS, Stage.REQUEST_FINISHED),
        new SignOutcome.Expired());
    KeyUse elsewhere = KeyUse.of(null, NO_BYTES, Destruction.DONE).asRecordedElsewhere();
    metrics.ended(
        ID,
        reached(Stage.REQUEST_START_TO_PROCESS, Stage.REQUEST_FINISHED),
        new SignOutcome.Failed(FailureReason.KEY_REUSED, "", elsewhere));

    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_sign_total", "outcome", "expired", "pre_generated", "none"))
        .isEqualTo(1);
    assertThat(scrape.value("keywell_sign_total", "outcome", "failed", "pre_generated", "none"))
        .isEqualTo(1);
    assertThat(scrape.value("keywell_sign_seconds_count", "stage", "key")).isZero();
    assertThat(scrape.value("keywell_sign_seconds_count", "stage", "queue")).isEqualTo(2);
  }

  @Test
  void whatIsInProgressIsWhatHasNotEnded() {
    metrics.accepted();
    metrics.accepted();
    metrics.accepted();
    metrics.abandoned();
    metrics.ended(ID, reached(Stage.REQUEST_START_TO_PROCESS, Stage.REQUEST_FINISHED), signed());

    assertThat(Registries.scrape(registry).value("keywell_sign_in_progress")).isEqualTo(2);

    metrics.closedUnrecorded(1);
    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_sign_failures_total", "reason", "record-unavailable"))
        .isEqualTo(1);
    assertThat(
            scrape.value("keywell_sign_requests_total", "admission", "accepted")
                - scrape.value("keywell_sign_total")
                - scrape.value("keywell_sign_in_progress"))
        .isZero();
  }

  @Test
  void refusalsAreCountedByLimit() {
    for (AdmissionLimit limit : AdmissionLimit.values()) {
      metrics.refused(limit);
    }
    metrics.repeated();
    metrics.unrecorded();
    metrics.interrupted(2);

    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_sign_refused_total", "limit", "queue_limit")).isEqualTo(1);
    assertThat(scrape.value("keywell_sign_refused_total"))
        .isEqualTo(AdmissionLimit.values().length)
        .isEqualTo(scrape.value("keywell_sign_requests_total", "admission", "refused"));
    assertThat(scrape.value("keywell_sign_requests_total", "admission", "repeated")).isEqualTo(1);
    assertThat(scrape.value("keywell_sign_requests_total", "admission", "unrecorded")).isEqualTo(1);
    assertThat(scrape.value("keywell_sign_interrupted_total")).isEqualTo(2);
  }
}
