package org.keywell.loadgen.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.loadgen.schedule.Schedule;

@Timeout(60)
final class OpenLoopDriverTest {
  private static final Duration GRACE = Duration.ofMillis(100);

  private final LiveFigures live = new LiveFigures();

  private OpenLoopDriver driver(Target target, int inFlightLimit) {
    return new OpenLoopDriver(target, Pacer.onSystemClock(), inFlightLimit, GRACE, live);
  }

  private static Outcome failed() {
    return new Outcome.Failed("stub");
  }

  /** Coordinated omission: a driver that waited for the first answer would never get it. */
  @Test
  void anAnswerThatIsMissingHoldsUpNoLaterRequest() throws Exception {
    int requests = 50;
    CountDownLatch others = new CountDownLatch(requests - 1);
    Target slowAtFirst =
        request -> {
          if (request == 1) {
            others.await();
          } else {
            others.countDown();
          }
          return failed();
        };

    List<Sample> samples = driver(slowAtFirst, 100).run(Schedule.constant("c", 500, 0.1));

    assertThat(samples).hasSize(requests);
    assertThat(others.getCount()).isZero();
    // The first answer came after the last request was due: its latency holds all of that time.
    assertThat(samples.getFirst().latencyFromDueNanos())
        .isGreaterThanOrEqualTo(samples.getLast().dueNanos());
  }

  @Test
  void latencyRunsFromTheDueTimeAndTheSendTime() throws Exception {
    int requests = 20;
    CountDownLatch toCome = new CountDownLatch(requests);
    Target slow =
        _ -> {
          toCome.countDown();
          toCome.await();
          return failed();
        };

    List<Sample> samples = driver(slow, 100).run(Schedule.constant("c", 100, 0.2));

    assertThat(samples).hasSize(requests);
    long lastSentNanos = samples.stream().mapToLong(Sample::sentNanos).max().orElseThrow();
    assertThat(samples)
        .allSatisfy(s -> {
          assertThat(s.sentNanos()).isGreaterThanOrEqualTo(s.dueNanos());
          assertThat(s.latencyFromSendNanos())
              .isGreaterThanOrEqualTo(lastSentNanos - s.sentNanos());
          assertThat(s.latencyFromDueNanos()).isEqualTo(s.latencyFromSendNanos() + s.lateNanos());
        });
  }

  @Test
  void samplesAreInOrderAndAtTheSchedulesTimes() throws Exception {
    Schedule schedule = Schedule.constant("c", 1_000, 0.1);

    List<Sample> samples = driver(_ -> failed(), 100).run(schedule);

    assertThat(samples).hasSize(100);
    for (int i = 0; i < samples.size(); i++) {
      assertThat(samples.get(i).request()).isEqualTo(i + 1);
      assertThat(samples.get(i).dueNanos()).isEqualTo(schedule.dueNanos(i + 1));
    }
    assertThat(live.due()).isEqualTo(100);
    assertThat(live.dropped()).isEqualTo(100);
  }

  @Test
  void whatIsOverTheInFlightLimitIsNotSentAndCounted() throws Exception {
    CountDownLatch allDue = new CountDownLatch(1);
    AtomicInteger sent = new AtomicInteger();
    Target blocked =
        _ -> {
          sent.incrementAndGet();
          allDue.await();
          return failed();
        };
    Thread opener =
        Thread.ofVirtual()
            .start(() -> {
              while (live.due() < 20) {
                Thread.onSpinWait();
              }
              allDue.countDown();
            });

    List<Sample> samples = driver(blocked, 3).run(Schedule.constant("c", 200, 0.1));
    opener.join();

    assertThat(sent).hasValue(3);
    assertThat(samples.stream().filter(s -> s.outcome() instanceof Outcome.Unsent))
        .hasSize(17)
        .allMatch(s -> s.sentNanos() == Sample.NEVER && s.answeredNanos() == Sample.NEVER);
    assertThat(live.ended(Outcome.Kind.UNSENT)).isEqualTo(17);
  }

  @Test
  void aStopEndsTheRunAndAbandonsWhatHasNoAnswer() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(3);
    OpenLoopDriver driver =
        driver(
            _ -> {
              begun.countDown();
              never.await();
              return failed();
            },
            100);
    Thread stopper =
        Thread.ofVirtual()
            .start(() -> {
              try {
                begun.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              driver.stop();
            });

    List<Sample> samples = driver.run(Schedule.constant("c", 20, 3_600));
    stopper.join();

    assertThat(samples).hasSizeBetween(3, 200);
    assertThat(samples).allMatch(s -> s.outcome() instanceof Outcome.Abandoned);
  }

  @Test
  void aMistakeInTheTargetEndsItsRequestOnly() throws Exception {
    Target broken =
        request -> {
          if (request == 2) {
            throw new IllegalStateException("broken");
          }
          return failed();
        };

    List<Sample> samples = driver(broken, 10).run(Schedule.constant("c", 100, 0.03));

    assertThat(samples.get(1).outcome().problem()).contains("broken");
    assertThat(samples.get(2).outcome()).isEqualTo(failed());
  }

  @Test
  void theClockBeginsWithTheRun() throws Exception {
    OpenLoopDriver driver = driver(_ -> failed(), 10);
    assertThat(driver.elapsedNanos()).isZero();

    driver.run(Schedule.constant("c", 100, 0.05));

    assertThat(driver.elapsedNanos()).isBetween(40_000_000L, TimeUnit.SECONDS.toNanos(60));
  }
}
