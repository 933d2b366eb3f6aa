package org.keywell.signing.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.testkit.ManualTime;

final class ClockGuardTest {

  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration MAX_OFFSET = Duration.ofMillis(500);
  private static final Duration ERROR = Duration.ofMillis(20);
  private static final InetSocketAddress A = InetSocketAddress.createUnresolved("a", 123);
  private static final InetSocketAddress B = InetSocketAddress.createUnresolved("b", 123);
  private static final InetSocketAddress C = InetSocketAddress.createUnresolved("c", 123);

  private final ManualTime time = new ManualTime();
  private Optional<String> otherDoubt = Optional.empty();

  /** By server; without one, it does not answer. */
  private final Map<InetSocketAddress, Duration> offsets = new HashMap<>();

  private ClockGuard guard(InetSocketAddress... servers) {
    return new ClockGuard(
        List.of(servers),
        EVERY,
        MAX_OFFSET,
        time,
        time,
        server -> {
          Duration offset = offsets.get(server);
          if (offset == null) {
            throw new IOException("no answer");
          }
          return new NtpAnswer(offset, ERROR);
        },
        () -> otherDoubt);
  }

  private void offset(String offset, InetSocketAddress... servers) {
    for (InetSocketAddress server : servers) {
      offsets.put(server, Duration.parse(offset));
    }
  }

  @Test
  void withoutServersAClockThatIsLeftAloneIsTrusted() {
    ClockGuard guard = guard();
    time.advance(Duration.ofDays(400));

    assertThat(guard.now()).contains(time.instant());
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.011S", "PT1H", "-PT0.011S", "-PT1H"})
  void withoutServersAJumpIsForEver(Duration back) {
    ClockGuard guard = guard();
    time.setBack(back);
    assertThat(guard.now()).isEmpty();
    assertThat(guard.doubt()).get().asString().contains("jumped");
    time.setBack(back.negated());
    guard.check();

    assertThat(guard.now()).isEmpty();
  }

  @Test
  void aClockThatDisagreesWithTheDatabasesIsInDoubtForAsLong() {
    ClockGuard guard = guard();
    otherDoubt = Optional.of("36 h ahead");

    assertThat(guard.now()).isEmpty();
    assertThat(guard.doubt()).contains("36 h ahead");

    otherDoubt = Optional.empty();
    assertThat(guard.now()).contains(time.instant());
  }

  /** Each would pass; together they set the clock. */
  @Test
  void smallStepsAddUp() {
    ClockGuard guard = guard();
    for (int i = 0; i < 2; i++) {
      assertThat(guard.now()).isPresent();
      time.setBack(Duration.ofMillis(6));
    }
    assertThat(guard.now()).isEmpty();
  }

  @Test
  void untilServersHaveConfirmedItNothingIsCertain() {
    ClockGuard guard = guard(A);
    assertThat(guard.now()).isEmpty();
    offset("PT0.1S", A);
    guard.check();

    assertThat(guard.now()).contains(time.instant());
    assertThat(guard.offset()).contains(Duration.ofMillis(100));
  }

  @Test
  void serversConfirmAClockAgainAfterAJump() {
    ClockGuard guard = guard(A);
    offset("PT0S", A);
    guard.check();
    time.setBack(Duration.ofSeconds(3));
    assertThat(guard.now()).isEmpty();
    offset("PT3S", A);
    guard.check();
    assertThat(guard.now()).as("it is still wrong").isEmpty();
    time.setBack(Duration.ofSeconds(-3));
    offset("PT0S", A);
    guard.check();

    assertThat(guard.now()).isPresent();
  }

  @Test
  void theErrorOfTheNetworkCounts() {
    ClockGuard guard = guard(A);
    offset("PT0.481S", A);
    guard.check();
    assertThat(guard.doubt()).get().asString().contains("a:123: PT0.481S");
    offset("-PT0.48S", A);
    guard.check();

    assertThat(guard.doubt()).isEmpty();
  }

  @Test
  void mostServersDecide() {
    ClockGuard guard = guard(A, B, C);
    offset("PT0.01S", A, B);
    offset("PT90S", C);
    guard.check();
    assertThat(guard.doubt()).isEmpty();
    assertThat(guard.offset()).contains(Duration.ofMillis(10));
    offset("PT90S", B);
    guard.check();

    assertThat(guard.doubt()).isPresent();
  }

  @Test
  void aSilenceIsBorneForAWhile() {
    ClockGuard guard = guard(A, B, C);
    offset("PT0S", A, B, C);
    guard.check();
    offsets.keySet().retainAll(List.of(A));
    for (int i = 0; i < 3; i++) {
      time.advance(EVERY);
      guard.check();
      assertThat(guard.doubt()).as("after %s", i).isEmpty();
    }
    time.advance(Duration.ofNanos(1));
    assertThat(guard.doubt()).get().asString().contains("180 s");
    offset("PT0S", B);
    guard.check();

    assertThat(guard.doubt()).isEmpty();
  }
}
