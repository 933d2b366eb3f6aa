package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class RecordMonthsTest {

  private static final String INSERT =
      """
      WITH record AS (
        INSERT INTO sign_request
          (request_id, request_sha256, status, failure, instance, caller, pool_mode,
           digest_algorithm, digest, signature_algorithm, key_spec, request_received,
           request_finished, key_id, withheld_key_id, public_key_sha256, signer_reference)
        VALUES (gen_random_uuid(), 'content', 'failed', 'internal', 'a', 'c', 'pooled', '', '', '',
          '', %s, now(), %s, %s, %s, 'Astrid')
        RETURNING request_id, request_received)
      %s
      """;

  private static final String ONLY = "SELECT 1 FROM record";
  private static final String KNOWN = "INSERT INTO known_request SELECT * FROM record";

  private static void addMissing(Database database) throws SQLException {
    try (Connection connection = database.asOwner().connect()) {
      RecordMonths.addMissing(connection);
    }
  }

  /** Whatever was on record is on record afterwards, each in its month, and its key is known. */
  @Test
  void theMigrationMovesEachRecordIntoItsMonth() throws SQLException {
    Database earlier = PostgresForTests.newDatabase("17");
    try (HikariDataSource dataSource = earlier.dataSource()) {
      Sql sql = new Sql(dataSource);
      for (int i = 0; i < 40; i++) {
        String received =
            "date_trunc('month', now()) - interval '%d months 1 second'".formatted(i / 2);
        sql.texts(INSERT.formatted(received, i, "NULL", "sha256('%d')".formatted(i), ONLY));
      }
      sql.texts(INSERT.formatted("now()", "NULL", "1000", "NULL", ONLY));
      sql.texts(INSERT.formatted("now()", "NULL", "7", "NULL", ONLY));
      sql.texts(INSERT.formatted("now()", "NULL", "NULL", "sha256('on the fly')", ONLY));
      sql.texts(INSERT.formatted("'1970-01-01'", "NULL", "NULL", "NULL", ONLY));
      sql.texts(INSERT.formatted("now() + interval '5 years'", "NULL", "NULL", "NULL", ONLY));
      String rows = "SELECT (to_jsonb(r) - 'erased')::text FROM sign_request r";
      List<String> before = sql.texts(rows);

      PostgresForTests.migrate(earlier);

      assertThat(before).hasSize(45);
      assertThat(sql.texts(rows)).containsExactlyInAnyOrderElementsOf(before);
      assertThat(sql.count("SELECT count(DISTINCT tableoid) FROM sign_request")).isEqualTo(22);
      assertThat(sql.count("SELECT count(*) FROM sign_request_other")).isEqualTo(2);
      assertThat(
              sql.count(
                  "SELECT count(*) FROM known_request JOIN sign_request USING (request_id, request_received)"))
          .isEqualTo(45);
      assertThat(sql.count("SELECT count(*) FROM used_key")).isEqualTo(42);
      assertThat(sql.count("SELECT count(*) FROM used_key WHERE key_id IN (7, 1000)")).isEqualTo(2);
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() ->
              sql.update(
                  "INSERT INTO used_key VALUES (NULL, now(), gen_random_uuid(), sha256('39'))"))
          .withMessageContaining("used_key_public_key");
      assertThat(sql.count("SELECT count(log_of_closed(r)) FROM sign_request r WHERE key_id = 7"))
          .isEqualTo(1);
    }
  }

  @Test
  void theOwnerAddsMonthsAheadOfTime() throws SQLException {
    Database database = PostgresForTests.newDatabase();
    try (HikariDataSource administrator = database.dataSource();
        HikariDataSource service = database.asService().dataSource()) {
      Sql sql = new Sql(administrator);
      RecordMonths months = new RecordMonths(service);
      for (String month :
          sql.texts(
              """
              SELECT 'sign_request_' || to_char(date_trunc('month', now()) + n * interval '1 month',
                'YYYY_MM') FROM generate_series(2, 12) AS n
              """)) {
        sql.update("DROP TABLE " + month);
      }
      months.look();
      assertThat(months.ahead()).isEqualTo(1);

      addMissing(database);

      months.look();
      assertThat(months.ahead()).isEqualTo(RecordMonths.AHEAD);
      addMissing(database);
    }
  }

  /** Nobody has added any: records are kept all the same, and their month stays where it is. */
  @Test
  void recordsOfAMonthWithoutAPartitionAreKept() throws SQLException {
    Database database = PostgresForTests.newDatabase();
    try (HikariDataSource administrator = database.dataSource();
        HikariDataSource service = database.asService().dataSource()) {
      Sql sql = new Sql(administrator);
      String month =
          sql.text("SELECT to_char(date_trunc('month', now()) + interval '3 months', 'YYYY_MM')");
      sql.update("DROP TABLE sign_request_" + month);
      new Sql(service)
          .update(
              INSERT.formatted(
                  "date_trunc('month', now()) + interval '3 months 10 days'",
                  "NULL",
                  "NULL",
                  "NULL",
                  KNOWN));

      addMissing(database);

      RecordMonths months = new RecordMonths(service);
      months.look();
      assertThat(months.ahead()).isEqualTo(RecordMonths.AHEAD - 1);
      assertThat(sql.count("SELECT count(*) FROM sign_request_other")).isEqualTo(1);
    }
  }

  /** The service's role records through the table of all months; it cannot reach a single one. */
  @Test
  void theServicesRoleHasNoRightToAPartition() throws SQLException {
    Database database = PostgresForTests.newDatabase();
    try (HikariDataSource service = database.asService().dataSource()) {
      Sql sql = new Sql(service);
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> sql.count("SELECT count(*) FROM sign_request_other"))
          .withMessageContaining("permission denied");
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> sql.text("SELECT add_sign_request_month('2020-01-01')"))
          .withMessageContaining("denied");
    }
  }
}
