package org.keywell.rest.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;

final class ServerTimingTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final Map<Stage, Instant> times = new EnumMap<>(Stage.class);

  @Test
  void namesWhatWasDoneBetweenStages() {
    int millis = 0;
    for (Stage stage : Stage.values()) {
      times.put(stage, START.plusMillis(millis));
      millis += 10 + millis;
    }

    assertThat(ServerTiming.of(times))
        .isEqualTo(
            "wait;dur=10.000, key;dur=20.000, sign;dur=40.000, certify;dur=80.000,"
                + " destroy;dur=160.000, finish;dur=320.000");
  }

  @Test
  void whereTheCertificateComesFirstItIsToldFirst() {
    times.put(Stage.REQUEST_START_TO_PROCESS, START.plusMillis(1));
    times.put(Stage.REQUEST_GOT_KEY_PAIR, START.plusMillis(3));
    times.put(Stage.CERTIFIED, START.plusMillis(7));
    times.put(Stage.SIGNED, START.plusMillis(15));
    times.put(Stage.KEY_DESTROYED, START.plusMillis(31));
    times.put(Stage.REQUEST_RECEIVED, START);

    assertThat(ServerTiming.of(times))
        .isEqualTo(
            "wait;dur=1.000, key;dur=2.000, certify;dur=4.000, sign;dur=8.000, destroy;dur=16.000");
  }

  @Test
  void aStageThatWasNotReachedIsLeftOut() {
    times.put(Stage.REQUEST_RECEIVED, START);
    times.put(Stage.REQUEST_START_TO_PROCESS, START.plus(Duration.ofNanos(1_500)));
    times.put(Stage.REQUEST_FINISHED, START.plus(Duration.ofNanos(4_000)));

    assertThat(ServerTiming.of(times)).isEqualTo("wait;dur=0.001, finish;dur=0.002");
  }

  @Test
  void theCommitsOfARequestThatWasWorkedOnAreToldToo() {
    AtomicLong millis = new AtomicLong();
    RequestTimes own = new RequestTimes(() -> START, () -> millis.get() * 1_000_000);
    times.put(Stage.REQUEST_RECEIVED, START);
    times.put(Stage.REQUEST_START_TO_PROCESS, START.plusMillis(3));

    assertThat(ServerTiming.of(times, own)).isEqualTo("wait;dur=3.000");

    millis.set(2);
    own.markAccepted();
    millis.set(9);
    own.mark(Stage.REQUEST_FINISHED);
    millis.set(13);
    assertThat(ServerTiming.of(times, own))
        .isEqualTo("accept;dur=2.000, wait;dur=3.000, record;dur=4.000");
  }

  @Test
  void receiptAloneHasNoDuration() {
    times.put(Stage.REQUEST_RECEIVED, START);

    assertThat(ServerTiming.of(times)).isEmpty();
  }

  @Test
  void theDecimalPointDoesNotDependOnTheLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("sv-SE"));
    try {
      theStages();
    } finally {
      Locale.setDefault(before);
    }
  }

  private void theStages() {
    times.put(Stage.REQUEST_RECEIVED, START);
    times.put(Stage.REQUEST_START_TO_PROCESS, START.plusMillis(1));
    assertThat(ServerTiming.of(times)).isEqualTo("wait;dur=1.000");
  }
}
