package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class QuotaTableTest {

  private static final LocalDate DAY = LocalDate.of(2026, 3, 1);
  private static final RecordsDatabase database = new RecordsDatabase();

  private final QuotaTable table = new QuotaTable(database.dataSource());

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void reservesUpToTheQuotaOfACallersDay() throws Exception {
    assertThat(table.reserve("one", DAY, 10, 4)).isEqualTo(4);
    assertThat(table.reserve("one", DAY, 10, 4)).isEqualTo(4);
    assertThat(table.reserve("one", DAY, 10, 4)).isEqualTo(2);
    assertThat(table.reserve("one", DAY, 10, 4)).isZero();

    assertThat(table.reserve("one", DAY.plusDays(1), 10, 4)).isEqualTo(4);
    assertThat(table.reserve("another", DAY, 10, 4)).isEqualTo(4);
    assertThat(table.reserve("one", DAY, 5, 4)).as("a lower quota").isZero();
    assertThat(table.reserve("one", DAY, 11, 4)).as("a higher one").isEqualTo(1);
  }

  @Test
  void whatIsGivenBackCanBeReservedAgain() throws Exception {
    assertThat(table.reserve("stopped", DAY, 10, 10)).isEqualTo(10);

    table.release("stopped", DAY, 3);

    assertThat(table.reserve("stopped", DAY, 10, 10)).isEqualTo(3);
  }

  @Test
  void instancesThatReserveAtOnceStayWithinTheQuota() throws Exception {
    List<Future<Long>> instances = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        instances.add(threads.submit(this::reserveAll));
      }
    }

    long sum = 0;
    for (Future<Long> instance : instances) {
      sum += instance.get(20, TimeUnit.SECONDS);
    }
    assertThat(sum).isEqualTo(500);
  }

  private long reserveAll() throws SQLException {
    long sum = 0;
    for (long got = 1; got > 0; sum += got) {
      got = table.reserve("busy", DAY, 500, 3);
    }
    return sum;
  }

  @Test
  void daysThatAreOverAreForgotten() throws Exception {
    table.reserve("old", DAY.minusDays(3), 10, 1);
    table.reserve("old", DAY, 10, 1);

    table.forgetBefore(DAY);

    assertThat(
            new Sql(database.dataSource())
                .text("SELECT string_agg(day::text, ' ') FROM caller_quota WHERE caller = 'old'"))
        .isEqualTo("2026-03-01");
  }
}
