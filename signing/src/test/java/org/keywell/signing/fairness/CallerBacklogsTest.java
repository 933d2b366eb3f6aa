package org.keywell.signing.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerBacklogs.Backlog;

final class CallerBacklogsTest {

  private static final KeySpec EC = KeySpec.EC_P256;
  private static final KeySpec RSA = KeySpec.RSA_2048;
  private static final Caller HALF = Limited.share("half", 50);
  private static final Caller ANOTHER_HALF = Limited.share("another half", 50);
  private static final Caller QUARTER = Limited.share("quarter", 25);

  private final CallerBacklogs backlogs = new CallerBacklogs();

  private static long nanos(KeySpec spec) {
    return spec == RSA ? 300 : 100;
  }

  private void add(Caller caller, KeySpec spec, int count) {
    for (int i = 0; i < count; i++) {
      backlogs.add(caller, spec);
    }
  }

  @Test
  void oneCallersRequestsAllGoBefore() {
    Caller alone = Caller.onLoopback();
    add(alone, EC, 8);

    assertThat(backlogs.before(alone, CallerBacklogsTest::nanos)).isEqualTo(new Backlog(8, 800));
    assertThat(backlogs.all(CallerBacklogsTest::nanos)).isEqualTo(new Backlog(8, 800));
  }

  @Test
  void ofOthersAsManyGoBeforeAsComeByTheirWeight() {
    add(HALF, EC, 4);
    assertThat(backlogs.before(QUARTER, CallerBacklogsTest::nanos))
        .as("none of its own")
        .isEqualTo(new Backlog(0, 0));

    add(QUARTER, EC, 1);
    assertThat(backlogs.before(QUARTER, CallerBacklogsTest::nanos))
        .as("its own, and two of twice its weight")
        .isEqualTo(new Backlog(3, 300));
    assertThat(backlogs.before(HALF, CallerBacklogsTest::nanos)).isEqualTo(new Backlog(5, 500));
  }

  @Test
  void ofOthersAsMuchGoesBeforeAsTheyHaveTimeFor() {
    add(HALF, EC, 4);
    add(ANOTHER_HALF, RSA, 1);

    assertThat(backlogs.before(ANOTHER_HALF, CallerBacklogsTest::nanos))
        .as("one of 300, and three of 100 each")
        .isEqualTo(new Backlog(4, 600));
    assertThat(backlogs.before(HALF, CallerBacklogsTest::nanos)).isEqualTo(new Backlog(5, 700));
  }

  @Test
  void whatIsNotServedMeanwhileDoesNotGoBefore() {
    add(HALF, EC, 2);
    add(HALF, RSA, 1);

    assertThat(backlogs.before(HALF, spec -> spec == RSA ? 0 : 100)).isEqualTo(new Backlog(2, 200));
  }

  @Test
  void theLongestQueueOfTheSlowestRequestsDoesNotOverflow() {
    long minute = Duration.ofMinutes(1).toNanos();
    Caller alone = Limited.share("alone", 100);
    add(alone, EC, 100_000);

    assertThat(backlogs.before(alone, _ -> minute))
        .isEqualTo(new Backlog(100_000, 100_000 * minute));
  }

  @Test
  void whatDoesNotWaitCannotBeTakenOut() {
    add(HALF, EC, 1);

    assertThatIllegalStateException().isThrownBy(() -> backlogs.remove(HALF, RSA));
    backlogs.remove(HALF, EC);
    assertThatIllegalStateException().isThrownBy(() -> backlogs.remove(HALF, EC));
    assertThat(backlogs.all(CallerBacklogsTest::nanos)).isEqualTo(new Backlog(0, 0));
  }
}
