package org.keywell.signing.record;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.CaChain;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("postgresql")
@Timeout(60)
final class SignRecordsTest {

  private final RecordsDatabase database = new RecordsDatabase();
  private final SignRecords records = new SignRecords(database.dataSource());
  private final RecordWriter writer = database.writer("one");
  private final SignRequest request = SampleRequests.any();

  @BeforeEach
  void start() {
    writer.start();
  }

  @AfterEach
  void close() throws Exception {
    writer.finish(RecordsDatabase.LIMIT);
    database.close();
  }

  @Test
  void anIdThatNeverCameIsUnknown() {
    assertThat(records.find(UUID.randomUUID())).isEmpty();
  }

  /** Another caller's id is found as little as one that never came, and by the same statement. */
  @Test
  void findsARequestOfItsCallerAlone() throws Exception {
    received(SampleRequests.receivedNow());

    assertThat(records.findOf(request.caller().name(), request.requestId())).isPresent();
    assertThat(records.findOf("another", request.requestId())).isEmpty();
    assertThat(records.findOf(request.caller().name(), UUID.randomUUID())).isEmpty();
  }

  @Test
  void readsARequestInFlight() throws Exception {
    RequestTimes times = SampleRequests.receivedNow();
    received(times);

    SignRecord record = found();
    assertThat(record.requestId()).isEqualTo(request.requestId());
    assertThat(record.fingerprint()).isEqualTo(request.fingerprint());
    assertThat(record.times()).isEqualTo(times.reached());
    assertThat(record.outcome()).isNull();
  }

  @Test
  void readsASignedOneWithItsChainAndAllTimes() throws Exception {
    RequestTimes times = SampleRequests.passedAll();
    SignOutcome.Signed signed = RecordsDatabase.signedWith(RecordsDatabase.newKeyUse());
    ended(times, signed);

    assertThat(times.reached()).hasSize(Stage.values().length);
    assertThat(found()).usingRecursiveComparison().isEqualTo(SignRecord.of(request, times, signed));
    assertThat(
            database
                .sql()
                .text(
                    "SELECT concat_ws(' ', waiting_time_micros, process_time_micros) FROM sign_request"))
        .isEqualTo(
            "%d %d"
                .formatted(
                    times.waiting().orElseThrow().toNanos() / 1000,
                    times.processing().orElseThrow().toNanos() / 1000));
    assertThat(
            database
                .sql()
                .text(
                    "SELECT concat_ws(' ', certificate_serial, destruction_return_value, instance, caller, test_id, pool_mode) FROM sign_request"))
        .isEqualTo("5eed 0 one loopback a-test pooled");
  }

  @Test
  void readsAFailedOne() throws Exception {
    ended(
        SampleRequests.ended(),
        new SignOutcome.Failed(FailureReason.POOL_EMPTY, "no key is left", null));

    assertThat(found().outcome())
        .isEqualTo(new SignOutcome.Failed(FailureReason.POOL_EMPTY, "no key is left", null));
  }

  @Test
  void aFailedOneKeepsTheEvidenceOfItsKeysEndAndNoPublicKey() throws Exception {
    ended(
        SampleRequests.ended(),
        new SignOutcome.Failed(FailureReason.KEY_REFUSED, "refused", RecordsDatabase.newKeyUse()));

    assertThat(
            database
                .sql()
                .count(
                    "SELECT count(*) FROM sign_request WHERE key_id IS NOT NULL AND destruction_return_value = 0 AND public_key_sha256 IS NULL"))
        .isEqualTo(1);
  }

  @Test
  void readsAnExpiredOne() throws Exception {
    ended(SampleRequests.ended(), new SignOutcome.Expired());

    assertThat(found().outcome()).isEqualTo(new SignOutcome.Expired());
  }

  @Test
  void anExpiredOneKeepsTheEvidenceOfTheEndOfAKeyMadeForIt() throws Exception {
    KeyUse use = KeyUse.of(null, new byte[] {1}, Destruction.DONE);

    ended(SampleRequests.ended(), new SignOutcome.Expired(use));

    assertThat(
            database
                .sql()
                .count(
                    "SELECT count(*) FROM sign_request WHERE status = 'expired' AND NOT pre_generated AND destruction_return_value = 0 AND public_key_sha256 IS NULL"))
        .isEqualTo(1);
  }

  @Test
  void keepsAChainOnce() throws Exception {
    SignOutcome.Signed signed = RecordsDatabase.signedWith(RecordsDatabase.newKeyUse());
    records.keep(signed.issued().chain());
    ended(SampleRequests.passedAll(), signed);

    assertThat(chains()).isEqualTo(1);
  }

  /** A CA for each device, or one that was reopened with another chain. */
  @Test
  void keepsTheChainOfEachOutcomeWithTheFirstThatNamesIt() throws Exception {
    CaChain one = new CaChain(new byte[] {1}, List.of(new byte[] {1}, new byte[] {9}));
    CaChain other = new CaChain(new byte[] {2}, List.of(new byte[] {2}, new byte[] {9}));
    SignRequest second = SampleRequests.any();
    SignRequest third = SampleRequests.any();

    ended(request, SampleRequests.passedAll(), signedUnder(one));
    ended(second, SampleRequests.passedAll(), signedUnder(other));
    ended(third, SampleRequests.passedAll(), signedUnder(one));

    assertThat(chainOnRecord(request)).containsExactly(new byte[] {1}, new byte[] {9});
    assertThat(chainOnRecord(second)).containsExactly(new byte[] {2}, new byte[] {9});
    assertThat(chainOnRecord(third)).containsExactly(new byte[] {1}, new byte[] {9});
    assertThat(chains()).as("with the one that was kept before").isEqualTo(3);
  }

  @Test
  void aChainIsNotKeptByATransactionThatFailed() throws Exception {
    CaChain chain = new CaChain(new byte[] {1}, List.of(new byte[] {1}));
    SignOutcome.Signed refused =
        new SignOutcome.Signed(
            List.of(new byte[] {1}),
            List.of(),
            new IssuedCertificate(new byte[] {2}, "\u0000", chain),
            RecordsDatabase.newKeyUse());
    received(SampleRequests.receivedNow());
    CompletableFuture<SignOutcome> durable = new CompletableFuture<>();
    writer.ended(request, SampleRequests.passedAll(), refused, durable);
    assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> durable.get(20, SECONDS));
    SignRequest next = SampleRequests.any();

    ended(next, SampleRequests.passedAll(), signedUnder(chain));

    assertThat(chainOnRecord(next)).containsExactly(new byte[] {1});
  }

  @Test
  void aDatabaseThatFailsIsARecordException() {
    PGSimpleDataSource nobodyThere = new PGSimpleDataSource();
    nobodyThere.setPortNumbers(new int[] {1});

    assertThatExceptionOfType(RecordException.class)
        .isThrownBy(() -> new SignRecords(nobodyThere).find(UUID.randomUUID()));
  }

  private void received(RequestTimes times) throws Exception {
    received(request, times);
  }

  private void received(SignRequest request, RequestTimes times) throws Exception {
    assertThat(writer.received(request, times).get(20, SECONDS)).isTrue();
  }

  private void ended(RequestTimes times, SignOutcome outcome) throws Exception {
    ended(request, times, outcome);
  }

  private void ended(SignRequest request, RequestTimes times, SignOutcome outcome)
      throws Exception {
    received(request, times);
    CompletableFuture<SignOutcome> durable = new CompletableFuture<>();
    writer.ended(request, times, outcome, durable);
    assertThat(durable.get(20, SECONDS)).isSameAs(outcome);
  }

  private static SignOutcome.Signed signedUnder(CaChain chain) {
    return RecordsDatabase.signedWith(RecordsDatabase.newKeyUse(), chain);
  }

  private List<byte[]> chainOnRecord(SignRequest signed) {
    SignRecord record = records.find(signed.requestId()).orElseThrow();
    return ((SignOutcome.Signed) Objects.requireNonNull(record.outcome()))
        .issued()
        .chain()
        .certificates();
  }

  private long chains() throws Exception {
    return database.sql().count("SELECT count(*) FROM ca_chain");
  }

  private SignRecord found() {
    return records.find(request.requestId()).orElseThrow();
  }
}
