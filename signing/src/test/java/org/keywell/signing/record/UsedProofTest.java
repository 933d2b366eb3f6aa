package org.keywell.signing.record;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignRequest;

/** A ticket serves one request, whatever becomes of that, at whatever instance. */
@Timeout(60)
@Tag("postgresql")
final class UsedProofTest {

  private static final RecordsDatabase database = new RecordsDatabase();

  private final SpyDataSource dataSource = new SpyDataSource(database.dataSource());
  private final RecordWriter writer = database.writer(dataSource, "one");
  private final RecordWriter other = database.writer("two");
  private final UUID ticket = UUID.randomUUID();

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  @AfterEach
  void finish() throws Exception {
    writer.finish(RecordsDatabase.LIMIT);
    other.finish(RecordsDatabase.LIMIT);
  }

  @Test
  void servesOneRequestAtAllInstances() throws Exception {
    writer.start();
    other.start();
    SignRequest first = with(ticket);
    assertThat(received(writer, first)).isTrue();

    SignRequest second = with(ticket);
    assertThat(received(writer, second)).isFalse();
    assertThat(received(other, second)).isFalse();
    assertThat(isOnRecord(second)).isFalse();
    assertThat(usedBy(ticket)).isEqualTo(first.requestId().toString());
    assertThat(received(other, with(UUID.randomUUID()))).isTrue();
  }

  @Test
  void theSameRequestIsARepeat() throws Exception {
    writer.start();
    other.start();
    SignRequest request = with(ticket);

    assertThat(received(writer, request)).isTrue();
    assertThat(received(writer, request)).isFalse();
    assertThat(received(other, request)).isFalse();
    assertThat(isOnRecord(request)).isTrue();
  }

  @Test
  void alsoWithinABatchWithOthers() throws Exception {
    List<SignRequest> requests = new ArrayList<>();
    List<CompletableFuture<Boolean>> intents = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      SignRequest request = i % 3 == 0 ? SampleRequests.any() : with(ticket);
      requests.add(request);
      intents.add(writer.received(request, SampleRequests.receivedNow()));
    }
    writer.start();

    List<Boolean> isNew = new ArrayList<>();
    for (CompletableFuture<Boolean> intent : intents) {
      isNew.add(intent.get(20, SECONDS));
    }
    assertThat(isNew)
        .containsExactly(
            true, true, false, true, false, false, true, false, false, true, false, false);
    assertThat(requests.stream().map(this::isOnRecord).toList()).isEqualTo(isNew);
    assertThat(dataSource.commits()).isOne();
  }

  /** Two instances at the same moment: the second waits for the first one's commit. */
  @Test
  void alsoWhileTheOtherIsNotDurableYet() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    dataSource.holdCommits(go);
    writer.start();
    other.start();
    CompletableFuture<Boolean> first = writer.received(with(ticket), SampleRequests.receivedNow());
    dataSource.awaitHeld();
    CompletableFuture<Boolean> second = other.received(with(ticket), SampleRequests.receivedNow());
    assertThat(second).isNotDone();
    go.countDown();

    assertThat(first.get(20, SECONDS)).isTrue();
    assertThat(second.get(20, SECONDS)).isFalse();
  }

  /** Each transaction keeps its tickets until it is durable: in another order, they would lock. */
  @Test
  void manyTicketsAtTwoInstancesAtOnceLockNobody() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    RecordListener counting =
        new RecordListener() {
          @Override
          public void failed(int entries, long nanos) {
            failures.incrementAndGet();
          }
        };
    RecordWriter here = database.writer("three", counting);
    RecordWriter there = database.writer("four", counting);
    here.start();
    there.start();
    for (int round = 0; round < 20; round++) {
      List<UUID> tickets = Stream.generate(UUID::randomUUID).limit(100).toList();
      List<CompletableFuture<Boolean>> both = new ArrayList<>();
      for (int i = 0; i < tickets.size(); i++) {
        both.add(here.received(with(tickets.get(i)), SampleRequests.receivedNow()));
        both.add(there.received(with(tickets.reversed().get(i)), SampleRequests.receivedNow()));
      }
      int recorded = 0;
      for (CompletableFuture<Boolean> one : both) {
        recorded += one.get(20, SECONDS) ? 1 : 0;
      }
      assertThat(recorded).isEqualTo(tickets.size());
    }
    here.finish(RecordsDatabase.LIMIT);
    there.finish(RecordsDatabase.LIMIT);
    assertThat(failures).hasValue(0);
  }

  @Test
  void anIdThatIsOnRecordUsesNoTicket() throws Exception {
    writer.start();
    SignRequest request = with(ticket);
    assertThat(received(writer, request)).isTrue();
    UUID another = UUID.randomUUID();

    assertThat(received(writer, SampleRequests.with(request.requestId(), another))).isFalse();
    assertThat(received(writer, with(another))).isTrue();
  }

  @Test
  void whatIsNotOnRecordHasNotUsedItsTicket() throws Exception {
    writer.start();
    dataSource.loseNextCommit();
    assertFails(with(ticket));
    assertThat(received(writer, with(ticket))).isTrue();
  }

  @Test
  void whatIsOnRecordHasThoughNobodyLearnedOfIt() throws Exception {
    writer.start();
    SignRequest request = with(ticket);
    dataSource.loseNextAnswer();
    assertFails(request);

    assertThat(received(writer, with(ticket))).isFalse();
    assertThat(received(writer, request)).isFalse();
    assertThat(isOnRecord(request)).isTrue();
  }

  @Test
  void aTicketIsForgottenOnceItHasBeenExpiredForAnHour() throws Exception {
    writer.start();
    Instant now = Instant.now();
    UUID old = UUID.randomUUID();
    UUID young = UUID.randomUUID();
    received(writer, SampleRequests.with(UUID.randomUUID(), old, now.minusSeconds(3_700)));
    received(writer, SampleRequests.with(UUID.randomUUID(), young, now.minusSeconds(3_500)));
    received(writer, with(ticket));
    UsedProofs used = new UsedProofs(database.dataSource());

    assertThat(used.sweep()).isEqualTo(Duration.ofMinutes(1));
    assertThat(List.of(usedBy(old), usedBy(young), usedBy(ticket)))
        .satisfiesExactly(
            by -> assertThat(by).isEmpty(),
            by -> assertThat(by).isNotEmpty(),
            by -> assertThat(by).isNotEmpty());
  }

  @Test
  void manyAreForgottenAThousandAtATime() throws Exception {
    database
        .sql()
        .update(
            """
            INSERT INTO used_proof
            SELECT sha256(i::text::bytea), gen_random_uuid(), now() - interval '2 hours'
            FROM generate_series(1, 1500) AS i
            """);
    UsedProofs used = new UsedProofs(database.dataSource());

    assertThat(used.sweep()).isZero();
    assertThat(used.sweep()).isEqualTo(Duration.ofMinutes(1));
  }

  private static SignRequest with(UUID ticket) {
    return SampleRequests.with(UUID.randomUUID(), ticket);
  }

  private static boolean received(RecordWriter by, SignRequest request) throws Exception {
    return by.received(request, SampleRequests.receivedNow()).get(20, SECONDS);
  }

  private void assertFails(SignRequest request) throws Exception {
    assertThat(writer.received(request, SampleRequests.receivedNow()))
        .failsWithin(20, SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RecordException.class);
  }

  private boolean isOnRecord(SignRequest request) {
    return new SignRecords(database.dataSource()).find(request.requestId()).isPresent();
  }

  /** The id of the request that a ticket has served; empty if none. */
  private static String usedBy(UUID ticket) throws Exception {
    return database
        .sql()
        .text(
            "SELECT coalesce(max(request_id::text), '') FROM used_proof WHERE proof_sha256 = '\\x%s'"
                .formatted(SampleRequests.ticketSha256(ticket)));
  }
}
