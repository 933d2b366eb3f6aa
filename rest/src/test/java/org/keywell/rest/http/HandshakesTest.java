package org.keywell.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HandshakesTest {

  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(20);

  private final Handshakes handshakes = new Handshakes(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Turns, in the order in which they were given. */
  private final BlockingQueue<Given> given = new LinkedBlockingQueue<>();

  private record Given(String to, Handshakes.Turn turn) {}

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void anAddressThatFloodsDelaysAnotherByOneTurn() throws Exception {
    Handshakes.Turn first = handshakes.turn(address("10.0.0.1"), LONG);
    for (int i = 0; i < 50; i++) {
      var _ = await("10.0.0.1");
    }
    var _ = await("10.0.0.2");

    first.close();

    assertThat(List.of(next(), next(), next())).containsExactly("10.0.0.1", "10.0.0.2", "10.0.0.1");
    assertThat(handshakes.waiting()).isEqualTo(47);
  }

  @Test
  void aPrefixOfAddressesIsOneOrigin() throws Exception {
    Handshakes.Turn first = handshakes.turn(address("2001:db8::1"), LONG);
    var _ = await("2001:db8::1");
    var _ = await("2001:db8::2");
    var _ = await("2001:db8::ffff:3");
    var _ = await("2001:db8:0:1::1");

    first.close();

    assertThat(List.of(next(), next(), next(), next()))
        .containsExactly("2001:db8::1", "2001:db8:0:1::1", "2001:db8::2", "2001:db8::ffff:3");
  }

  @Test
  void aTurnEndsOnce() throws Exception {
    Handshakes.Turn first = handshakes.turn(address("10.0.0.1"), LONG);
    var _ = await("10.0.0.1");
    var _ = await("10.0.0.1");

    first.close();
    first.close();

    Given second = given.take();
    assertThat(given.poll(50, TimeUnit.MILLISECONDS)).as("the third waits").isNull();
    second.turn().close();
    assertThat(given.take()).isNotNull();
  }

  @Test
  void whoHasWaitedTooLongHoldsNothing() throws Exception {
    Handshakes.Turn first = handshakes.turn(address("10.0.0.1"), LONG);

    Handshakes.Turn late = handshakes.turn(address("10.0.0.2"), SHORT);

    assertThat(handshakes.waiting()).isZero();
    late.close();
    var _ = await("10.0.0.3");
    assertThat(given).as("the first still has its turn").isEmpty();
    first.close();
    assertThat(next()).isEqualTo("10.0.0.3");
  }

  @Test
  void anInterruptedOneHoldsNothing() throws Exception {
    Handshakes.Turn first = handshakes.turn(address("10.0.0.1"), LONG);
    Future<?> interrupted = await("10.0.0.1");

    interrupted.cancel(true);

    while (handshakes.waiting() > 0) {
      Thread.onSpinWait();
    }
    first.close();
    handshakes.turn(address("10.0.0.9"), LONG).close();
  }

  /** Whatever they do, and give up: never more than the turns there are, and none is lost. */
  @Test
  void noTurnIsLostNorGivenTwice() throws Exception {
    Handshakes three = new Handshakes(3);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 3_000; i++) {
      InetAddress address = address("10.0.0." + random.nextInt(5));
      Duration limit = random.nextInt(3) == 0 ? Duration.ofNanos(random.nextInt(50_000)) : LONG;
      boolean counts = limit.equals(LONG);
      all.add(
          threads.submit(() -> {
            try (Handshakes.Turn _ = three.turn(address, limit)) {
              if (counts) {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                LockSupport.parkNanos(1_000);
                running.decrementAndGet();
              }
            }
            return null;
          }));
    }
    for (Future<?> each : all) {
      each.get(50, TimeUnit.SECONDS);
    }

    assertThat(most.get()).isBetween(1, 3);
    assertThat(three.waiting()).isZero();
    try (Handshakes.Turn _ = three.turn(address("10.0.0.1"), SHORT);
        Handshakes.Turn _ = three.turn(address("10.0.0.1"), SHORT);
        Handshakes.Turn _ = three.turn(address("10.0.0.1"), SHORT)) {
      assertThat(three.waiting()).isZero();
    }
  }

  /** Returns once it waits. */
  private Future<?> await(String address) throws Exception {
    int before = handshakes.waiting();
    Future<?> waits =
        threads.submit(
            () -> given.add(new Given(address, handshakes.turn(address(address), LONG))));
    while (handshakes.waiting() == before) {
      Thread.onSpinWait();
    }
    return waits;
  }

  /** Ends the next turn, and says whose it was. */
  private String next() throws InterruptedException {
    Given next = given.take();
    next.turn().close();
    return next.to();
  }

  private static InetAddress address(String literal) throws UnknownHostException {
    return InetAddress.getByName(literal);
  }
}
