package org.keywell.signing.record;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

@Tag("postgresql")
@Timeout(60)
final class RecoveryTest {

  @Test
  void closesWhatItsOwnInstanceLeftInFlight() throws Exception {
    try (RecordsDatabase database = new RecordsDatabase()) {
      SignRequest mine = received(database, "mine", false);
      SignRequest another = received(database, "another", false);
      SignRequest done = received(database, "mine", true);
      SignRecords records = new SignRecords(database.dataSource());

      assertThat(database.closeInFlight("mine")).isEqualTo(1);

      assertThat(outcome(records, mine))
          .isEqualTo(new SignOutcome.Failed(FailureReason.INTERRUPTED, null, null));
      assertThat(outcome(records, another)).isNull();
      assertThat(outcome(records, done)).isEqualTo(new SignOutcome.Expired());
      assertThat(database.closeInFlight("mine")).isZero();
    }
  }

  private static @Nullable SignOutcome outcome(SignRecords records, SignRequest request) {
    return records.find(request.requestId()).orElseThrow().outcome();
  }

  private static SignRequest received(RecordsDatabase database, String instance, boolean finish)
      throws Exception {
    RecordWriter writer = database.writer(instance);
    writer.start();
    SignRequest request = SampleRequests.any();
    assertThat(writer.received(request, SampleRequests.receivedNow()).get(20, SECONDS)).isTrue();
    if (finish) {
      writer.ended(
          request, SampleRequests.ended(), new SignOutcome.Expired(), new CompletableFuture<>());
    }
    writer.finish(RecordsDatabase.LIMIT);
    return request;
  }
}
