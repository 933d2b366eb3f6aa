package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class IdlenessTest {

  private static final Duration SHORT = Duration.ofMillis(1);

  private final AtomicLong nanos = new AtomicLong();
  private final SigningActivity requests = new SigningActivity(Duration.ZERO, nanos::get);
  private final Idleness idleness = new Idleness(requests, nanos::get);

  @Test
  void requestsGoBefore() {
    assertThat(idleness.isIdle()).isTrue();
    requests.began();
    assertThat(idleness.isIdle()).isFalse();
    requests.ended();
    assertThat(idleness.isIdle()).isTrue();
  }

  /** What others do with a device concerns who would generate in it, and nobody else. */
  @Test
  void whatIsBusyElsewhereIsNotGeneratedIn() throws InterruptedException {
    idleness.busyElsewhere(Duration.ofSeconds(1));
    assertThat(requests.isIdle()).isTrue();
    assertThat(idleness.isIdle()).isFalse();

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(idleness.isIdle()).isTrue();
    assertThat(idleness.awaitIdle(SHORT)).isTrue();
  }

  @Test
  void theWaitForOthersEndsInTime() throws InterruptedException {
    SigningActivity none = new SigningActivity(Duration.ZERO, System::nanoTime);
    Idleness elsewhere = new Idleness(none, System::nanoTime);
    elsewhere.busyElsewhere(Duration.ofHours(1));
    assertThat(elsewhere.awaitIdle(SHORT)).isFalse();

    elsewhere.busyElsewhere(Duration.ofMillis(5));
    assertThat(elsewhere.awaitIdle(Duration.ofMinutes(1))).isTrue();
  }
}
