package org.keywell.service.ops.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.service.request.ManualTime;

final class HsmPartTest {

  private static final String SIGN_FAILS = "C_Sign returned CKR_DEVICE_ERROR (0x30)";

  private final ManualTime time = new ManualTime();
  private HsmHealth health = health(Optional.empty(), Optional.empty(), Duration.ZERO);
  private final HsmPart part = new HsmPart(() -> health, new Moments(time, time));

  private HsmHealth health(
      Optional<HsmHealth.Failure> down, Optional<HsmHealth.Failure> last, Duration oldestCall) {
    HsmHealth.State state = down.isPresent() ? HsmHealth.State.DOWN : HsmHealth.State.UP;
    return new HsmHealth(state, false, true, time.getAsLong(), down, last, 0, oldestCall);
  }

  private Instant now() {
    return new Moments(time, time).now();
  }

  @Test
  void isReadyWhileCallsSucceed() {
    PartState state = part.state();

    assertThat(state.isReady()).isTrue();
    assertThat(state.details()).containsEntry("loggedIn", true).containsEntry("lastSuccess", now());
    assertThat(state.details()).doesNotContainKey("lastError");
  }

  @Test
  void tellsWhatFailsSinceWhen() {
    Instant first = now();
    long firstNanos = time.getAsLong();
    HsmHealth.Failure one = new HsmHealth.Failure(SIGN_FAILS, 1, firstNanos, firstNanos);
    health = health(Optional.empty(), Optional.of(one), Duration.ZERO);
    assertThat(part.state().isReady()).as("one failure").isTrue();
    assertThat(part.state().details())
        .containsEntry("lastError", SIGN_FAILS)
        .containsEntry("lastErrorAt", first);
    time.advance(Duration.ofSeconds(4));
    HsmHealth.Failure five = new HsmHealth.Failure(SIGN_FAILS, 5, firstNanos, time.getAsLong());
    health = health(Optional.of(five), Optional.of(five), Duration.ZERO);

    PartState.Fault fault = part.state().fault().orElseThrow();
    assertThat(fault.reason()).isEqualTo(SIGN_FAILS + ", 5 times in a row");
    assertThat(fault.since()).isEqualTo(first);
    assertThat(part.state().details()).containsEntry("lastErrorAt", now());

    health = health(Optional.empty(), Optional.of(five), Duration.ZERO);
    assertThat(part.state().isReady()).isTrue();
  }

  @Test
  void aCallThatDoesNotReturnIsAFault() {
    Instant began = now();
    HsmHealth.Failure hangs =
        new HsmHealth.Failure("C_Sign has not returned for 61 s", 1, time.getAsLong(), 0);
    time.advance(Duration.ofSeconds(61));
    health =
        new HsmHealth(
            HsmHealth.State.DOWN,
            true,
            true,
            time.getAsLong(),
            Optional.of(hangs),
            Optional.empty(),
            1,
            Duration.ofSeconds(61));

    PartState.Fault fault = part.state().fault().orElseThrow();
    assertThat(fault.reason()).isEqualTo("C_Sign has not returned for 61 s");
    assertThat(fault.since()).isEqualTo(began);
    assertThat(part.state().details())
        .hasEntrySatisfying(
            "hint", hint -> assertThat(hint.toString()).contains("only a new process"));
  }

  @Test
  void tellsTheStateAndWhatToDo() {
    for (HsmHealth.State state : HsmHealth.State.values()) {
      health =
          new HsmHealth(
              state, false, true, 0, Optional.empty(), Optional.empty(), 0, Duration.ZERO);
      assertThat(part.state().details())
          .containsEntry("state", state.name().toLowerCase(Locale.ROOT));
      assertThat(part.state().details())
          .hasEntrySatisfying("hint", hint -> assertThat(hint.toString()).isNotBlank());
    }
  }
}
