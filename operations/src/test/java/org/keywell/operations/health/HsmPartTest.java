package org.keywell.operations.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.testkit.ManualTime;

final class HsmPartTest {

  private static final String SIGN_FAILS = "C_Sign returned CKR_DEVICE_ERROR (0x30)";

  private final ManualTime time = new ManualTime();
  private HsmHealth health = health(Optional.empty(), Optional.empty(), Duration.ZERO);
  private final HsmPart part =
      new HsmPart(() -> List.of(new DeviceHealth("hsm", true, health)), new Moments(time, time));

  private HsmHealth health(
      Optional<HsmHealth.Failure> down, Optional<HsmHealth.Failure> last, Duration oldestCall) {
    HsmHealth.State state = down.isPresent() ? HsmHealth.State.DOWN : HsmHealth.State.UP;
    return new HsmHealth(state, false, true, time.getAsLong(), down, last, 0, oldestCall);
  }

  /** Of one device. */
  private static Map<String, Object> details(PartState state, String device) {
    assertThat(state.details()).containsOnlyKeys("devices");
    Map<?, ?> devices = (Map<?, ?>) Objects.requireNonNull(state.details().get("devices"));
    Map<?, ?> details = (Map<?, ?>) Objects.requireNonNull(devices.get(device), device);
    Map<String, Object> byName = new HashMap<>();
    details.forEach((name, value) -> byName.put((String) name, value));
    return byName;
  }

  private Instant now() {
    return new Moments(time, time).now();
  }

  @Test
  void isReadyWhileCallsSucceed() {
    PartState state = part.state();

    assertThat(state.isReady()).isTrue();
    assertThat(details(state, "hsm"))
        .containsEntry("loggedIn", true)
        .containsEntry("lastSuccess", now());
    assertThat(details(state, "hsm")).doesNotContainKey("lastError");
  }

  @Test
  void tellsWhatFailsSinceWhen() {
    Instant first = now();
    long firstNanos = time.getAsLong();
    HsmHealth.Failure one = new HsmHealth.Failure(SIGN_FAILS, 1, firstNanos, firstNanos);
    health = health(Optional.empty(), Optional.of(one), Duration.ZERO);
    assertThat(part.state().isReady()).as("one failure").isTrue();
    assertThat(details(part.state(), "hsm"))
        .containsEntry("lastError", SIGN_FAILS)
        .containsEntry("lastErrorAt", first);
    time.advance(Duration.ofSeconds(4));
    HsmHealth.Failure five = new HsmHealth.Failure(SIGN_FAILS, 5, firstNanos, time.getAsLong());
    health = health(Optional.of(five), Optional.of(five), Duration.ZERO);

    PartState.Fault fault = part.state().fault().orElseThrow();
    assertThat(fault.reason()).isEqualTo(SIGN_FAILS + ", 5 times in a row");
    assertThat(fault.since()).isEqualTo(first);
    assertThat(details(part.state(), "hsm")).containsEntry("lastErrorAt", now());

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
    assertThat(details(part.state(), "hsm"))
        .hasEntrySatisfying(
            "hint", hint -> assertThat(hint.toString()).contains("only a new process"));
  }

  @Test
  void tellsTheStateAndWhatToDo() {
    for (HsmHealth.State state : HsmHealth.State.values()) {
      health =
          new HsmHealth(
              state, false, true, 0, Optional.empty(), Optional.empty(), 0, Duration.ZERO);
      assertThat(details(part.state(), "hsm"))
          .containsEntry("state", state.name().toLowerCase(Locale.ROOT));
      assertThat(details(part.state(), "hsm"))
          .hasEntrySatisfying("hint", hint -> assertThat(hint.toString()).isNotBlank());
    }
  }

  private static HsmHealth down(String message, long firstNanos) {
    return new HsmHealth(
        HsmHealth.State.DOWN,
        false,
        true,
        0,
        Optional.of(new HsmHealth.Failure(message, 1, firstNanos, firstNanos)),
        Optional.empty(),
        0,
        Duration.ZERO);
  }

  @Test
  void isReadyWhileOneDeviceWorksThatSigns() {
    HsmHealth down = down(SIGN_FAILS, time.getAsLong());
    HsmPart several =
        new HsmPart(
            () ->
                List.of(
                    new DeviceHealth("east", true, down), new DeviceHealth("west", true, health)),
            new Moments(time, time));

    assertThat(several.state().isReady()).isTrue();
    assertThat(details(several.state(), "east"))
        .containsEntry("state", "down")
        .containsEntry("reason", SIGN_FAILS)
        .containsEntry("since", now());
    assertThat(details(several.state(), "west"))
        .containsEntry("state", "up")
        .doesNotContainKeys("reason", "since");
  }

  @Test
  void isNotReadyOnceEachDeviceIsDownThatSigns() {
    long first = time.getAsLong();
    time.advance(Duration.ofSeconds(9));
    Instant last = now();
    long lastNanos = time.getAsLong();
    HsmPart several =
        new HsmPart(
            () ->
                List.of(
                    new DeviceHealth("east", true, down(SIGN_FAILS, lastNanos)),
                    new DeviceHealth("west", true, down("gone", first)),
                    new DeviceHealth("maker", false, health)),
            new Moments(time, time));

    PartState.Fault fault = several.state().fault().orElseThrow();
    assertThat(fault.reason()).isEqualTo("east: " + SIGN_FAILS + "; west: gone");
    assertThat(fault.since()).as("since when none signs").isEqualTo(last);
  }

  @Test
  void keysThatTokensLackAreWarnedOf() {
    HsmPart lacking =
        new HsmPart(
            () -> List.of(new DeviceHealth("hsm", true, health)),
            () -> List.of("no token has it"),
            new Moments(time, time));

    assertThat(lacking.state().isReady()).isTrue();
    assertThat(lacking.state().warnings()).containsExactly("no token has it");
    assertThat(part.state().warnings()).isEmpty();
  }
}
