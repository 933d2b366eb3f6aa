package org.keywell.signing.record;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.request.SampleRequests;

/** An intent whose commit was not answered, and takes effect while the writer goes on. */
@Tag("postgresql")
@Timeout(60)
final class LateIntentTest {

  private static final String INSTANCE = "late";

  private final RecordsDatabase database = new RecordsDatabase();
  private final IntentStatement statement = new IntentStatement(INSTANCE, "pooled");
  private final Entry.Intent intent =
      new Entry.Intent(
          SampleRequests.any(), SampleRequests.receivedNow(), new CompletableFuture<>());
  private final RecordTransaction next =
      new RecordTransaction(
          database.dataSource(),
          new JdbcWrappedKeyStore(database.dataSource(), INSTANCE, "wrapping"),
          INSTANCE,
          "pooled",
          LogWriter.off());

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theNextTransactionWaitsForItsEnd(boolean commits) throws Exception {
    try (Connection late = database.dataSource().getConnection();
        ExecutorService writer = Executors.newSingleThreadExecutor()) {
      late.setAutoCommit(false);
      assertThat(statement.execute(late, List.of(intent))).containsExactly(true);

      Future<RecordTransaction.Written> closing =
          writer.submit(() -> next.commit(Batch.of(List.of()), Set.of(Unrecorded.of(intent))));
      assertThatExceptionOfType(TimeoutException.class)
          .isThrownBy(() -> closing.get(300, MILLISECONDS));
      if (commits) {
        late.commit();
      } else {
        late.rollback();
      }

      assertThat(closing.get(20, SECONDS).closed()).isEqualTo(commits ? 1 : 0);
      assertThat(database.sql().texts("SELECT status FROM sign_request"))
          .isEqualTo(commits ? List.of("failed") : List.of());
      late.setAutoCommit(true);
    }
  }

  @Test
  void oneThatNeverArrivedLeavesNothing() throws Exception {
    assertThat(next.commit(Batch.of(List.of()), Set.of(Unrecorded.of(intent))).closed()).isZero();
    assertThat(database.sql().count("SELECT count(*) FROM sign_request")).isZero();
  }
}
