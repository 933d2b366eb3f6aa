package org.keywell.signing.ca;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.testkit.Await;

@Timeout(60)
final class BoundedSignerTest {

  private static final byte[] MESSAGE = {1};
  private static final byte[] SIGNATURE = {2};

  private final PublicKey publicKey = publicKey();

  private static PublicKey publicKey() {
    try {
      return KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTokenThatDoesNotSignIsNoSignature() {
    try (BoundedSigner key =
        new BoundedSigner(
            new TokenSigner(publicKey, _ -> Optional.empty()), "keys", Duration.ofSeconds(30))) {
      assertThat(key.sign(MESSAGE)).isEmpty();
      assertThat(key.publicKey()).isEqualTo(publicKey);
    }
  }

  /** Neither a thread nor a handshake waits longer; when the calls return, all is as before. */
  @Test
  void callsThatHangKeepFewThreadsAndNoHandshake() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Semaphore inside = new Semaphore(0);
    AtomicInteger most = new AtomicInteger();
    AtomicInteger now = new AtomicInteger();
    TokenSigner hanging =
        new TokenSigner(
            publicKey,
            _ -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              inside.release();
              await(end);
              now.decrementAndGet();
              return Optional.of(SIGNATURE);
            });
    try (BoundedSigner key = new BoundedSigner(hanging, "keys", Duration.ofMillis(50));
        ExecutorService handshakes = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<byte[]>>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(handshakes.submit(() -> key.sign(MESSAGE)));
      }
      for (Future<Optional<byte[]>> each : all) {
        assertThat(each.get(30, SECONDS)).isEmpty();
      }
      assertThat(inside.tryAcquire(4, 30, SECONDS)).isTrue();
      assertThat(most).hasValue(4);
      end.countDown();
      Await.until("it signs again", () -> key.sign(MESSAGE).isPresent());
      assertThat(key.sign(MESSAGE)).contains(SIGNATURE);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
