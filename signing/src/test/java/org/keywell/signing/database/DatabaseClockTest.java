package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.signing.start.NotThereYetException;
import org.keywell.testkit.PostgresForTests;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Clocks that are wrong, beside a PostgreSQL whose clock is this machine's. */
@Tag("postgresql")
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
final class DatabaseClockTest {

  private static final Duration TOLERANCE = Duration.ofSeconds(10);

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private Duration ahead = Duration.ZERO;
  private Duration elapsed = Duration.ZERO;
  private Duration perReading = Duration.ZERO;
  private final InstantSource wall = () -> Clock.systemUTC().instant().plus(ahead);
  private final DatabaseClock clock = new DatabaseClock(TOLERANCE, wall, this::nanos);
  private InstanceLock lock;

  private long nanos() {
    elapsed = elapsed.plus(perReading);
    return System.nanoTime() + elapsed.toNanos();
  }

  @BeforeEach
  void take() throws Exception {
    lock = InstanceLock.acquire(dataSource, "a");
  }

  @AfterEach
  void close() throws Exception {
    lock.close();
    dataSource.close();
  }

  @ParameterizedTest
  @CsvSource({"PT36H, ahead", "-PT36H, behind", "PT11S, ahead"})
  void aClockThatIsWrongFromTheStartIsNamed(Duration by, String side) {
    ahead = by;

    assertThatExceptionOfType(NotThereYetException.class)
        .isThrownBy(() -> clock.requireAgreement(lock))
        .withMessageContaining("keywell.database.clock-tolerance (10 s)")
        .withMessageMatching(".*[0-9]+ s " + side + ".*");

    assertThat(clock.isInDoubt()).isTrue();
    assertThat(clock.doubt().orElseThrow().why()).contains(side);
    assertThat(clock.offset().orElseThrow())
        .isBetween(by.negated().minusSeconds(2), by.negated().plusSeconds(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT8S", "-PT8S"})
  void aClockWithinTheToleranceAgrees(Duration by) {
    ahead = by;

    clock.requireAgreement(lock);

    assertThat(clock.doubt()).isEmpty();
  }

  /** Nothing compares them in between. */
  @Test
  void aClockThatIsSetIsInDoubtAtOnceAndUntilItIsSetBack() {
    clock.requireAgreement(lock);

    ahead = Duration.ofHours(36);
    assertThat(clock.isInDoubt()).isTrue();
    ahead = Duration.ZERO;
    assertThat(clock.isInDoubt()).isFalse();
    ahead = Duration.ofDays(-1);
    assertThat(clock.isInDoubt()).isTrue();
  }

  @Test
  void eachDisagreementIsLoggedOnce(CapturedOutput output) {
    ahead = Duration.ofHours(36);
    clock.compare(lock);
    clock.compare(lock);
    long since = clock.doubt().orElseThrow().sinceNanos();
    clock.compare(lock);
    assertThat(clock.doubt().orElseThrow().sinceNanos()).isEqualTo(since);
    assertThat(output.getOut()).containsOnlyOnce("nothing is certified until they agree");

    ahead = Duration.ZERO;
    clock.compare(lock);
    ahead = Duration.ofHours(-1);
    clock.compare(lock);
    clock.compare(lock);

    assertThat(output.getOut().split("until they agree", -1)).hasSize(3);
  }

  /** Elapsed time stands still while a machine sleeps; the calendar does not. */
  @Test
  void aMachineThatSleptIsTrustedAgainByTheNextComparison() {
    clock.requireAgreement(lock);
    elapsed = Duration.ofMinutes(-1);
    assertThat(clock.isInDoubt()).isTrue();

    clock.compare(lock);

    assertThat(clock.isInDoubt()).isFalse();
  }

  /** The answer may be of any moment of the round trip. */
  @Test
  void aSlowAnswerIsNoReasonForDoubt() {
    ahead = Duration.ofSeconds(25);
    perReading = Duration.ofSeconds(40);
    clock.compare(lock);
    perReading = Duration.ZERO;
    // The middle of the round trip, in which the calendar stood still.
    elapsed = Duration.ofSeconds(60);

    assertThat(clock.isInDoubt()).isFalse();
    ahead = Duration.ofSeconds(40);
    assertThat(clock.isInDoubt()).isTrue();
  }

  @Test
  void whileTheDatabaseIsAwayTheLastComparisonStands() throws Exception {
    clock.requireAgreement(lock);
    lock.close();

    clock.compare(lock);

    assertThat(clock.isInDoubt()).isFalse();
    ahead = Duration.ofHours(36);
    assertThat(clock.isInDoubt()).isTrue();
    lock = InstanceLock.acquire(dataSource, "a");
  }
}
