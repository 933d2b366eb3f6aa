package org.keywell.signing.record;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.testkit.ManualTime;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Tag("postgresql")
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
final class LateDestructionsTest {

  private static final String COUNT = "SELECT count(*) FROM late_destruction";

  private final RecordsDatabase database = new RecordsDatabase();
  private final SpyDataSource dataSource = new SpyDataSource(database.dataSource());
  private final ManualTime time = new ManualTime();
  private final LateDestructions late = new LateDestructions(dataSource, time);
  private final SignRecords records = new SignRecords(database.dataSource());
  private final RecordWriter writer = database.writer("one");
  private final SignRequest request = SampleRequests.any();
  private final UUID id = request.requestId();

  @BeforeEach
  void start() {
    writer.start();
  }

  @AfterEach
  void close() throws Exception {
    late.end(RecordsDatabase.LIMIT);
    writer.finish(RecordsDatabase.LIMIT);
    database.close();
  }

  @Test
  void theRecordTellsWhenTheKeyWasGoneAndKeepsWhatTheFirstAttemptReturned() throws Exception {
    ended(notDestroyed());
    assertThat(found().keyGoneLater()).isNull();
    Instant gone = time.instant().truncatedTo(ChronoUnit.MICROS);
    late.start();

    late.add(id, Destruction.DONE);

    await().until(() -> found().keyGoneLater() != null);
    assertThat(found().keyGoneLater()).isEqualTo(gone);
    assertThat(
            database
                .sql()
                .text(
                    """
                    SELECT concat_ws(' ', destruction_return_value, key_destroyed, late_return_value)
                    FROM sign_request JOIN late_destruction USING (request_id)
                    """))
        .isEqualTo("48 0");
  }

  /** The attempt may succeed while the outcome waits for its transaction. */
  @Test
  void theEndOfTheRequestMayComeLater() throws Exception {
    RequestTimes times = received();
    late.start();
    late.add(id, Destruction.EPOCH_ENDED);
    await().until(() -> database.sql().count(COUNT) == 1);

    ended(times, notDestroyed());

    assertThat(found().keyGoneLater()).isNotNull();
    assertThat(database.sql().count("SELECT late_return_value FROM late_destruction"))
        .isEqualTo(-2);
  }

  @Test
  void whileTheDatabaseIsAwayItIsKept() throws Exception {
    dataSource.away(true);
    late.start();
    late.add(id, Destruction.DONE);
    await().until(() -> dataSource.refused() > 0);

    dataSource.away(false);

    await().until(() -> database.sql().count(COUNT) == 1);
  }

  @Test
  void theFirstStands() throws Exception {
    late.add(id, Destruction.DONE);
    late.add(id, Destruction.EPOCH_ENDED);
    late.end(RecordsDatabase.LIMIT);

    assertThat(database.sql().count("SELECT late_return_value FROM late_destruction")).isZero();
  }

  @Test
  void theStopWritesWhatWaits() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      late.add(UUID.randomUUID(), Destruction.DONE);
    }

    late.end(RecordsDatabase.LIMIT);

    assertThat(database.sql().count(COUNT)).isEqualTo(1_000);
  }

  @Test
  void whatCannotBeWrittenIsInTheLog(CapturedOutput output) throws Exception {
    dataSource.away(true);
    late.add(id, new Destruction(0x82));

    late.end(RecordsDatabase.LIMIT);

    assertThat(output.getOut()).contains(id.toString(), "returned 130", "not on record");
  }

  @Test
  void whatWaitsIsBounded(CapturedOutput output) {
    for (int i = 0; i < 10_000; i++) {
      late.add(UUID.randomUUID(), Destruction.DONE);
    }
    assertThat(output.getOut()).doesNotContain("not on record");

    late.add(id, Destruction.DONE);

    assertThat(output.getOut()).contains(id.toString(), "not on record");
  }

  private RequestTimes received() throws Exception {
    RequestTimes times = SampleRequests.ended();
    assertThat(writer.received(request, times).get(20, SECONDS)).isTrue();
    return times;
  }

  private void ended(SignOutcome outcome) throws Exception {
    ended(received(), outcome);
  }

  private void ended(RequestTimes times, SignOutcome outcome) throws Exception {
    CompletableFuture<SignOutcome> durable = new CompletableFuture<>();
    writer.ended(request, times, outcome, durable);
    durable.get(20, SECONDS);
  }

  private static SignOutcome notDestroyed() {
    return RecordsDatabase.failedWith(new Destruction(0x30));
  }

  private SignRecord found() {
    return records.find(id).orElseThrow();
  }
}
