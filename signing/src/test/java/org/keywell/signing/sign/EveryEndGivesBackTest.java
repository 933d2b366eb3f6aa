package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.Certification;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

/** Whatever becomes of requests, and in whatever order: no place stays taken, none is at hand. */
@Tag("postgresql")
@Timeout(60)
final class EveryEndGivesBackTest {

  private static final int EACH = 40;
  private static final int FEW = 4;

  private static final int AT_ONCE = ServiceParts.QUEUE_LIMIT - 2;

  private static final RecordsDatabase database = new RecordsDatabase();

  private enum Turn {
    PLAIN,
    REPEATED,
    EXPIRING,
    UNSERVED,
    DEVICE_FAILS,
    CA_REFUSES,
    CA_HAS_A_DEFECT,
    ALL_IS_WELL,
    COMMIT_IS_LOST,
    NO_CONNECTION,
    CALLER_GIVES_UP;

    boolean spoilsItsBatch() {
      return this == COMMIT_IS_LOST || this == NO_CONNECTION;
    }
  }

  private final ServiceParts parts = new ServiceParts(database).withKeys(5 * EACH);
  private final SignRequest first = SampleRequests.any();
  private final Map<String, AtomicInteger> ends = new ConcurrentHashMap<>();

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void noPlaceStaysTaken(long seed) throws Exception {
    parts.device.storeIsDry();
    List<Turn> turns = new ArrayList<>();
    for (Turn turn : Turn.values()) {
      turns.addAll(Collections.nCopies(turn.spoilsItsBatch() ? FEW : EACH, turn));
    }
    Collections.shuffle(turns, new Random(seed));
    Semaphore room = new Semaphore(AT_ONCE);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      callers.execute(() -> take(Turn.EXPIRING));
      await().until(() -> parts.atHand.get() == 1);
      callers.execute(() -> take(Turn.CALLER_GIVES_UP));
      await().until(() -> ends.containsKey("gave up"));
      for (int i = 0; i < ServiceParts.QUEUE_LIMIT; i++) {
        callers.execute(() -> take(Turn.PLAIN));
      }
      await().until(() -> ends.containsKey("queue-full"));
      parts.threads.start();
      await().until(() -> ends.containsKey("Expired"));
      parts.awaitIdle();
      for (Turn turn : turns) {
        room.acquire();
        callers.execute(() -> {
          try {
            take(turn);
          } finally {
            room.release();
          }
        });
      }
    }

    parts.awaitIdle();
    parts.withKeys(1);
    take(Turn.ALL_IS_WELL);
    assertThat(ends.values().stream().mapToInt(AtomicInteger::get).sum())
        .isEqualTo(1 + 1 + ServiceParts.QUEUE_LIMIT + turns.size() + 1);
    assertThat(ends).containsKeys("Signed", "Failed", "Expired", "queue-full", "gave up");
    parts.close();
    assertThat(parts.atHand).hasValue(0);
    assertThat(parts.queue.length()).isZero();
  }

  private void take(Turn turn) {
    switch (turn) {
      case PLAIN -> sign(SampleRequests.any());
      case REPEATED -> sign(first);
      case EXPIRING -> sign(SampleRequests.withDeadline(Duration.ofNanos(1)));
      case UNSERVED -> sign(SampleRequests.unserved());
      case DEVICE_FAILS -> {
        parts.device.hsm.faults().fail(Operation.SIGN, Reason.UNAVAILABLE);
        sign(SampleRequests.any());
      }
      case CA_REFUSES -> {
        parts.device.ca.refuse(Certification.Reason.KEY_NOT_ALLOWED);
        sign(SampleRequests.of(UUID.randomUUID(), 2));
      }
      case CA_HAS_A_DEFECT -> {
        parts.device.ca.fail(new IllegalStateException("a defect"));
        sign(SampleRequests.any());
      }
      case ALL_IS_WELL -> {
        parts.device.hsm.faults().healAll();
        parts.device.ca.recover();
        sign(SampleRequests.any());
      }
      case COMMIT_IS_LOST -> {
        parts.dataSource.loseNextCommit();
        sign(SampleRequests.any());
      }
      case NO_CONNECTION -> {
        parts.dataSource.failNext(new IllegalStateException("a defect"));
        sign(SampleRequests.any());
      }
      case CALLER_GIVES_UP -> {
        Thread.currentThread().interrupt();
        sign(SampleRequests.any());
      }
    }
  }

  private void sign(SignRequest request) {
    if (!Thread.currentThread().isInterrupted()) {
      // As a caller that is told to come again later.
      await().until(() -> !parts.writer.isStuck());
    }
    String end;
    try {
      SignOutcome outcome = parts.service.sign(request, SampleRequests.receivedNow()).outcome();
      end = outcome == null ? "open" : outcome.getClass().getSimpleName();
    } catch (RefusedException e) {
      end = e.refusal().reason().label();
    } catch (InterruptedException e) {
      end = "gave up";
    }
    ends.computeIfAbsent(end, any -> new AtomicInteger()).incrementAndGet();
  }
}
