package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CallsTest {

  private static final int AT_ONCE = 8;

  private final AtomicLong told = new AtomicLong();
  private final Calls calls =
      new Calls(AT_ONCE, CallLimits.DEFAULT, (function, rv, began, ended) -> told.addAndGet(rv));

  @Test
  void knowsTheCallsInProgressAndTheOldestOfThem() {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      places.add(calls.begins(CkFunction.C_SIGN));
    }

    assertThat(places).as("from one thread, yet apart").doesNotHaveDuplicates();
    assertThat(calls.inProgress()).isEqualTo(AT_ONCE);
    long oldest = calls.oldestNanos();
    assertThat(oldest).isPositive();
    assertThat(calls.oldestNanos()).isGreaterThanOrEqualTo(oldest);

    places.forEach(place -> assertThat(calls.ended(place, 5)).as("the return value").isEqualTo(5));
    assertThat(calls.inProgress()).isZero();
    assertThat(calls.oldestNanos()).isZero();
    assertThat(told).hasValue(5 * AT_ONCE);
  }

  @Test
  void knowsACallThatHasBeenRunningForLongerThanItsLimit() {
    int generation = calls.begins(CkFunction.C_GENERATE_KEY_PAIR);
    int signature = calls.begins(CkFunction.C_SIGN);
    long now = System.nanoTime();

    assertThat(calls.overdue(now)).isNull();
    assertThat(overdueAfter(now, Duration.ofSeconds(11))).isEqualTo(CkFunction.C_SIGN);
    calls.ended(signature, 0);
    assertThat(calls.overdue(now + Duration.ofSeconds(11).toNanos())).isNull();
    assertThat(overdueAfter(now, Duration.ofSeconds(61))).isEqualTo(CkFunction.C_GENERATE_KEY_PAIR);
    calls.ended(generation, 0);
    assertThat(calls.overdue(now + Duration.ofSeconds(61).toNanos())).isNull();
  }

  private CkFunction overdueAfter(long now, Duration time) {
    return Objects.requireNonNull(calls.overdue(now + time.toNanos())).function();
  }

  @Test
  void countsCallsOfManyThreads() throws InterruptedException {
    int rounds = 20_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int round = 0; round < rounds; round++) {
                  calls.ended(calls.begins(CkFunction.C_SIGN), 1);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(told).hasValue((long) AT_ONCE * rounds);
    assertThat(calls.inProgress()).isZero();
  }

  @Test
  void allocatesNothing() {
    var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    Calls counted = new Calls(AT_ONCE, CallLimits.DEFAULT, new DeviceState(CallLimits.DEFAULT));
    int rounds = 10_000;
    round(counted, rounds);
    long before = memory.getCurrentThreadAllocatedBytes();

    round(counted, rounds);

    // The measurement itself allocates a little.
    assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(rounds);
  }

  private static void round(Calls calls, int rounds) {
    for (int i = 0; i < rounds; i++) {
      calls.ended(calls.begins(CkFunction.C_SIGN), 0);
    }
  }
}
