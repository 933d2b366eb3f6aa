package org.keywell.signing.record;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

@Tag("postgresql")
@Timeout(60)
final class ErasureTest {

  private final RecordsDatabase database = new RecordsDatabase();
  private final HikariDataSource owner = database.asOwner();
  private final Erasure erasure = new Erasure(owner);
  private final RecordWriter writer = database.writer("one");
  private final SignRequest request = SampleRequests.any();

  @BeforeEach
  void receive() throws Exception {
    writer.start();
    assertThat(writer.received(request, SampleRequests.receivedNow()).get(20, SECONDS)).isTrue();
  }

  @AfterEach
  void close() throws Exception {
    writer.finish(RecordsDatabase.LIMIT);
    owner.close();
    database.close();
  }

  private void sign() throws Exception {
    CompletableFuture<SignOutcome> durable = new CompletableFuture<>();
    RequestTimes times = SampleRequests.passedAll();
    writer.ended(request, times, RecordsDatabase.signedWith(RecordsDatabase.newKeyUse()), durable);
    assertThat(durable.get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
  }

  private String row() throws SQLException {
    return database.sql().text("SELECT r::text FROM sign_request r");
  }

  private long erasedInLog() throws SQLException {
    return database
        .sql()
        .count(
            """
            SELECT count(*) FROM log_pending
            WHERE convert_from(entry, 'UTF8') LIKE '%%"request":"%s","type":"erased","v":1}'
            """
                .formatted(request.requestId()));
  }

  @Test
  void leavesNothingOfTheSigner() throws Exception {
    sign();
    String salt = database.sql().text("SELECT encode(signer_salt, 'hex') FROM sign_request");
    String before = row();
    assertThat(before).contains(request.signerReference(), salt);

    assertThat(erasure.erase(request.requestId())).isEqualTo(Erasure.Result.ERASED);

    assertThat(row()).doesNotContain(request.signerReference(), salt);
    assertThat(
            database
                .sql()
                .text(
                    """
                    SELECT concat_ws(' ', status, num_nulls(certificate, signer_reference,
                      signer_salt, test_id), octet_length(request_sha256), erased IS NOT NULL,
                      signature IS NOT NULL, certificate_serial)
                    FROM sign_request
                    """))
        .isEqualTo("signed 4 0 t t 5eed");
    assertThat(erasedInLog()).isEqualTo(1);
    assertThat(erasure.erase(request.requestId())).isEqualTo(Erasure.Result.ERASED_BEFORE);
    assertThat(erasedInLog()).isEqualTo(1);
  }

  /** It must not be signed a second time. */
  @Test
  void theIdStaysKnownAndItsAnswerSaysWhy() throws Exception {
    sign();
    erasure.erase(request.requestId());

    SignRecord record =
        new SignRecords(database.dataSource()).find(request.requestId()).orElseThrow();
    assertThat(record.outcome())
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.ERASED));
    assertThat(writer.received(request, SampleRequests.receivedNow()).get(20, SECONDS)).isFalse();
  }

  @Test
  void aRequestInProgressIsLeftAlone() throws Exception {
    assertThat(erasure.erase(request.requestId())).isEqualTo(Erasure.Result.NOT_ENDED);
    assertThat(row()).contains(request.signerReference());
    assertThat(erasedInLog()).isZero();
    sign();
  }

  @Test
  void anUnknownIdIsSaidToBe() {
    assertThat(erasure.erase(UUID.randomUUID())).isEqualTo(Erasure.Result.UNKNOWN);
  }

  @Test
  void waitsForNoArchive() throws Exception {
    sign();
    try (Connection archiving = database.administrator();
        Statement lock = archiving.createStatement()) {
      lock.execute("SELECT pg_advisory_lock(hashtext('keywell.archive'))");

      assertThat(erasure.erase(request.requestId())).isEqualTo(Erasure.Result.ARCHIVING);
    }
    assertThat(row()).contains(request.signerReference());
  }

  @Test
  void theServicesRoleCannot() throws Exception {
    sign();
    assertThatExceptionOfType(DatabaseException.class)
        .isThrownBy(() -> new Erasure(database.dataSource()).erase(request.requestId()));
    assertThat(row()).contains(request.signerReference());
  }
}
