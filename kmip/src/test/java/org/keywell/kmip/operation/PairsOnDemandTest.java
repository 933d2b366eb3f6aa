package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.ForwardingHsm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.kmip.key.ReadyPairs;

/** Pairs that are made while clients wait. */
@Timeout(60)
final class PairsOnDemandTest {

  /** Many clients would keep the device from signing for as many generations. */
  @Test
  void areMadeOneAtATime() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (KeyManager manager = new KeyManager(InstantSource.system());
        ExecutorService clients = Executors.newFixedThreadPool(1)) {
      ReadyPairs pairs =
          new ReadyPairs(
              manager.pool,
              Set.of(),
              new SlowGenerator(manager.hsm, begun, goOn),
              manager.hsm.managedKeys()::proves,
              Duration.ofMillis(100));
      Future<Boolean> first = clients.submit(() -> pairs.make(KeySpec.EC_P256).isPresent());
      await(begun);
      assertThat(pairs.make(KeySpec.EC_P256)).isEmpty();

      goOn.countDown();
      assertThat(first.get()).isTrue();
      assertThat(pairs.make(KeySpec.EC_P256)).isPresent();
      assertThat(pairs.made(KeySpec.EC_P256)).as("without the one that was given up").isEqualTo(2);
      assertThat(manager.hsm.countLiveKeys()).isZero();
    }
  }

  /** Waits before it generates. */
  private record SlowGenerator(Hsm device, CountDownLatch begun, CountDownLatch goOn)
      implements ForwardingHsm {

    @Override
    public LiveKeyPair generateExtractable(KeySpec spec) {
      begun.countDown();
      await(goOn);
      return device.generateExtractable(spec);
    }

    @Override
    public LiveKeyPair generate(KeySpec spec) {
      return device.generate(spec);
    }

    @Override
    public KeyHandle unwrap(WrappedKey key) {
      return device.unwrap(key);
    }

    @Override
    public Destruction destroy(KeyHandle key) {
      return device.destroy(key);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
