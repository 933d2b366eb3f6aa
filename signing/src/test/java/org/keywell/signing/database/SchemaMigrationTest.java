package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.settings.StartRefusedException;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class SchemaMigrationTest {

  private record Server(DatabaseAccess access, Optional<DatabaseAccess> owner)
      implements DatabaseServer {}

  @Test
  void theServicesRoleStartsOnTheLatestSchemaAndMigratesNone() throws SQLException {
    run(PostgresForTests.newDatabase(), false);

    Database earlier = PostgresForTests.newDatabase("13");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> run(earlier, false))
        .withMessageStartingWith("the role keywell may not migrate the database " + earlier.url())
        .withMessageContaining("run the command migrate once, as the owner of its tables");
    assertThat(count(earlier, "SELECT count(*) FROM pg_class WHERE relname = 'record_correction'"))
        .isZero();
  }

  @Test
  void theOwnerMigratesAndGrantsWhatIsNew() throws SQLException {
    Database earlier = PostgresForTests.newDatabase("13");

    run(earlier, true);

    try (HikariDataSource service = earlier.asService().dataSource()) {
      assertThat(new Sql(service).count("SELECT count(*) FROM record_correction")).isZero();
      assertThat(new ExcessPrivileges(service).find()).isEmpty();
    }
    run(earlier, false);
  }

  /** This version's list may lack what the later one needs. */
  @Test
  void theGrantsOfALaterSchemaAreLeftAlone() throws SQLException {
    Database later = PostgresForTests.newDatabase();
    try (HikariDataSource superuser = later.dataSource()) {
      Sql sql = new Sql(superuser);
      assertThat(
              sql.update(
                  """
                  INSERT INTO flyway_schema_history
                  SELECT 1000, '9999', 'later', type, 'later.sql', 1, installed_by, installed_on, 1, true
                  FROM flyway_schema_history WHERE installed_rank = 1
                  """))
          .isEqualTo(1);
      sql.update("GRANT UPDATE ON late_destruction TO keywell");

      run(later, true);

      assertThat(
              sql.text("SELECT has_table_privilege('keywell', 'late_destruction', 'UPDATE')::text"))
          .isEqualTo("true");
    }
  }

  @Test
  void aServicesRoleThatCannotConnectIsNamed() {
    Database database = PostgresForTests.newDatabase();
    Server server =
        new Server(
            access(new Database(database.url(), "nobody", "")),
            Optional.of(access(database.asOwner())));
    try (HikariDataSource service = new Database(database.url(), "nobody", "").dataSource()) {
      service.setConnectionTimeout(1_000);
      assertThatExceptionOfType(StartRefusedException.class)
          .isThrownBy(() -> new SchemaMigration(server, service, false).run())
          .withMessageContaining("nobody");
    }
  }

  /** Only the owner can make it; months of later have it from the start. */
  @Test
  void serialNumbersGetAnIndexWhereTheyAreLookedUp() throws SQLException {
    Database database = PostgresForTests.newDatabase();
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> run(database, false, true))
        .withMessageContaining("run the command migrate once, as the owner of its tables");
    try (HikariDataSource superuser = database.dataSource()) {
      Sql sql = new Sql(superuser);
      String valid = "SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid IN ";
      String months =
          "(SELECT inhrelid FROM pg_inherits WHERE inhparent = 'sign_request_serial'::regclass)";
      sql.update("CREATE INDEX sign_request_other_serial ON sign_request_other (caller)");

      run(database, true, true);

      long made = sql.count(valid + months);
      assertThat(made)
          .isEqualTo(
              sql.count(
                  "SELECT count(*) FROM pg_inherits WHERE inhparent = 'sign_request'::regclass"));
      assertThat(sql.count(valid + "('sign_request_serial'::regclass)")).isEqualTo(1);
      sql.texts("SELECT add_sign_request_month('2019-01-01')::text");
      assertThat(sql.count(valid + months)).isEqualTo(made + 1);
      assertThat(sql.count(valid + "('sign_request_serial'::regclass)")).isEqualTo(1);
    }
    run(database, false, true);
    run(database, true, true);
  }

  private static void run(Database database, boolean withOwner) {
    run(database, withOwner, false);
  }

  private static void run(Database database, boolean withOwner, boolean serials) {
    Server server =
        new Server(
            access(database.asService()),
            withOwner ? Optional.of(access(database.asOwner())) : Optional.empty());
    try (HikariDataSource service = database.asService().dataSource()) {
      new SchemaMigration(server, service, serials).run();
    }
  }

  private static DatabaseAccess access(Database database) {
    return new DatabaseAccess(database.url(), database.username(), database.password());
  }

  private static long count(Database database, String query) throws SQLException {
    try (HikariDataSource dataSource = database.dataSource()) {
      return new Sql(dataSource).count(query);
    }
  }
}
