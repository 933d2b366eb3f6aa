package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.signing.start.EndSignal.StartAbandonedException;
import org.keywell.signing.start.StartPatience;
import org.keywell.testkit.ManualTime;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

@ExtendWith(OutputCaptureExtension.class)
final class RepeatedStartTest {

  private final ManualTime time = new ManualTime();
  private final List<Optional<Duration>> attempts = new ArrayList<>();

  private RepeatedStart start(String patience, StartPatience.Pause pause) {
    RepeatedStart start = new RepeatedStart(time, pause);
    start.read(new MockEnvironment().withProperty("keywell.start-patience", patience));
    return start;
  }

  private boolean pause(Duration length) {
    time.advance(length);
    return false;
  }

  private String failing(Optional<Duration> left, int times, Reason reason, long returnValue) {
    attempts.add(left);
    if (attempts.size() <= times) {
      throw new IllegalStateException(
          "bean", new HsmException(reason, returnValue, "C_FindObjects returned it"));
    }
    return "started";
  }

  private String failing(Optional<Duration> left, int times) {
    return failing(left, times, Reason.UNAVAILABLE, 0x30);
  }

  @Test
  void aStartThatAPassingErrorEndedIsRepeatedWithTheTimeLeft(CapturedOutput output) {
    String result = start("60s", this::pause).run(left -> failing(left, 2));

    assertThat(result).isEqualTo("started");
    assertThat(attempts)
        .containsExactly(
            Optional.empty(),
            Optional.of(Duration.ofSeconds(59)),
            Optional.of(Duration.ofSeconds(58)));
    assertThat(output)
        .contains("up to 60 s (keywell.start-patience): C_FindObjects returned it")
        .doesNotContain("Exception");
  }

  @Test
  void onceTheTimeIsOverTheLastFailureIsThrown() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> start("3s", this::pause).run(left -> failing(left, 100)));
    assertThat(attempts).hasSize(4).last().isEqualTo(Optional.of(Duration.ZERO));
  }

  @Test
  void theDefaultIsThatOfTheSettings() {
    RepeatedStart start = new RepeatedStart(time, this::pause);
    start.read(new MockEnvironment());
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> start.run(left -> failing(left, 100)));
    assertThat(attempts).hasSize(61);
  }

  @Test
  void aFailureThatLastsIsNotRepeated() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            start("60s", this::pause).run(left -> failing(left, 1, Reason.LOGIN_REFUSED, 0xA0)));
    assertThat(attempts).hasSize(1);
  }

  /** CKR_USER_PIN_NOT_INITIALIZED, while another process writes the token's file. */
  @Test
  void whatATokenSeemsToLackIsLookedForTwice() {
    String result =
        start("60s", this::pause).run(left -> failing(left, 1, Reason.NOT_BOOTSTRAPPED, 0x102));
    assertThat(result).isEqualTo("started");

    attempts.clear();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            start("60s", this::pause)
                .run(left -> failing(left, 100, Reason.NOT_BOOTSTRAPPED, 0x102)));
    assertThat(attempts).hasSize(2);
  }

  @Test
  void aSignalEndsIt() {
    assertThatExceptionOfType(StartAbandonedException.class)
        .isThrownBy(() -> start("60s", _ -> true).run(left -> failing(left, 1)));
    assertThat(attempts).hasSize(1);
  }

  @Test
  void theTimeLeftIsASetting() {
    assertThat(RepeatedStart.with(Optional.empty(), "--a=b")).containsExactly("--a=b");
    assertThat(RepeatedStart.with(Optional.of(Duration.ofSeconds(2)), "--a=b"))
        .containsExactly("--a=b", "--keywell.start-patience=2000ms");
  }
}
