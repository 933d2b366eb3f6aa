package org.keywell.keypool.hsm.timed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.TestThread;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.timed.DeviceProfile.OperationTime;

/**
 * Random operations at random times end exactly when a device with that many lanes would end them
 * that serves them in order of arrival: no two share a lane, and none is faster than the profile.
 */
@Timeout(120)
final class TimedHsmPropertyTest {
  private static final int OPERATIONS = 60;
  private static final int LONGEST_GAP_MILLIS = 40;
  private static final KeySpec EC = KeySpec.EC_P256;

  /** An operation whose caller waits; the model says until when. */
  private record Pending(TestThread<Long> caller, long endsAtNanos) {}

  private final FakeHsm device = new FakeHsm();
  private final ManualTime time = new ManualTime();
  private final long startNanos = time.getAsLong();

  private static DeviceProfile profile(int lanes) {
    return new DeviceProfile(
        "test",
        "a test",
        lanes,
        0,
        OperationTime.parse("50ms..90ms"),
        OperationTime.parse("10ms..20ms"),
        OperationTime.parse("30ms"),
        OperationTime.parse("2ms..21ms"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void operationsEndWhenTheModelSays(long seed) throws Exception {
    Random choices = new Random(seed);
    Random sameDraws = new Random(-seed);
    int lanes = 1 + (int) (seed % 4);
    DeviceProfile profile = profile(lanes);
    TimedHsm hsm = new TimedHsm(device, profile, time, time, new Random(-seed));
    LiveKeyPair extractable = device.generateExtractable(EC);
    WrappedKey wrapped = device.wrap(extractable);
    KeyHandle key = device.unwrap(wrapped);

    long[] laneEnds = new long[lanes];
    long workNanos = 0;
    PriorityQueue<Pending> pending =
        new PriorityQueue<>(Comparator.comparingLong(Pending::endsAtNanos));
    long now = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      now += TimeUnit.MILLISECONDS.toNanos(choices.nextInt(LONGEST_GAP_MILLIS));
      finishUntil(now, pending);
      time.advanceToNanos(now);

      int kind = choices.nextInt(4);
      OperationTime range =
          List.of(profile.generation(), profile.wrapping(), profile.unwrapping(), profile.signing())
              .get(kind);
      List<Callable<?>> operations = new ArrayList<>();
      operations.add(() -> hsm.generate(EC));
      operations.add(() -> hsm.wrap(extractable));
      operations.add(() -> hsm.unwrap(wrapped));
      operations.add(
          () -> hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]));
      Callable<?> operation = operations.get(kind);

      long slot = range.drawNanos(sameDraws);
      int lane = earliest(laneEnds);
      long start = Math.max(now, laneEnds[lane]);
      laneEnds[lane] = start + slot;
      workNanos += slot;
      long returns = start + (kind == 3 ? slot / 2 : slot);
      TestThread<Long> caller =
          TestThread.start(
                  () -> {
                    assertThat(operation.call()).isNotNull();
                    return time.getAsLong() - startNanos;
                  })
              .awaitWaiting();
      pending.add(new Pending(caller, returns));
    }
    finishUntil(Long.MAX_VALUE, pending);

    long lastEnd = laneEnds[latest(laneEnds)];
    assertThat(lastEnd).isGreaterThanOrEqualTo(workNanos / lanes);
  }

  private void finishUntil(long nowNanos, PriorityQueue<Pending> pending) throws Exception {
    while (!pending.isEmpty() && pending.element().endsAtNanos() <= nowNanos) {
      Pending next = pending.remove();
      time.advanceToNanos(next.endsAtNanos() - 1);
      time.advanceToNanos(next.endsAtNanos());
      assertThat(next.caller().result()).isEqualTo(next.endsAtNanos());
    }
  }

  private static int earliest(long[] ends) {
    int found = 0;
    for (int i = 1; i < ends.length; i++) {
      found = ends[i] < ends[found] ? i : found;
    }
    return found;
  }

  private static int latest(long[] ends) {
    int found = 0;
    for (int i = 1; i < ends.length; i++) {
      found = ends[i] > ends[found] ? i : found;
    }
    return found;
  }
}
