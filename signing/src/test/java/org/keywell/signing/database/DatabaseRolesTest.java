package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.settings.DatabaseProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.BoundSettings;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

/** What the service needs, the tests of its statements show: they run as its role. */
@Tag("postgresql")
@Timeout(60)
final class DatabaseRolesTest {

  private static final String NO_PRIVILEGE = "42501";
  private static final DatabaseRoles ROLES =
      new DatabaseRoles(DatabaseRoles.OWNER, DatabaseRoles.SERVICE, DatabaseRoles.REPORTS);

  private final Database database = PostgresForTests.newDatabase();

  @Test
  void theListNamesEachTableOfTheSchema() throws SQLException {
    assertThat(TableGrant.all().stream().map(TableGrant::table))
        .containsExactlyInAnyOrderElementsOf(
            asked(
                database,
                """
                SELECT relname FROM pg_class
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
                  AND NOT relispartition
                """));
    assertThat(
            asked(
                database,
                """
                SELECT relname FROM pg_class c
                WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND NOT EXISTS (
                  SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i')
                """))
        .as("sequences that an insert needs a privilege for")
        .isEmpty();
  }

  @Test
  void theServiceIsRefusedWhatItWasNotGranted() throws SQLException {
    List<String> forbidden = new ArrayList<>();
    for (TableGrant grant : TableGrant.all()) {
      for (String privilege : privilegesOn(grant.table())) {
        if (!grant.serviceOnWholeTable().contains(privilege)) {
          forbidden.add(statement(privilege, grant.table()));
        }
      }
      for (String column : isTable(grant.table()) ? columns(grant.table()) : List.<String>of()) {
        if (!grant.service().matches("(?s).*UPDATE \\([^)]*\\b" + column + "\\b.*")) {
          forbidden.add("UPDATE %s SET %s = DEFAULT".formatted(grant.table(), column));
        }
      }
      forbidden.add(
          "DROP %s %s".formatted(isTable(grant.table()) ? "TABLE" : "VIEW", grant.table()));
      forbidden.add("ALTER TABLE %s RENAME TO renamed".formatted(grant.table()));
    }
    assertThat(forbidden)
        .contains(
            "DELETE FROM sign_request",
            "UPDATE sign_request SET caller = DEFAULT",
            "UPDATE pool_key SET wrapped_private_key = DEFAULT",
            "UPDATE late_destruction SET key_gone = DEFAULT",
            "TRUNCATE pool_key");

    assertRefused(database.asService(), forbidden);
  }

  @Test
  void theServiceChangesNoSchema() throws SQLException {
    assertRefused(
        database.asService(),
        List.of(
            "CREATE TABLE more (id int)",
            "CREATE SCHEMA more",
            "CREATE FUNCTION more() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "CREATE INDEX ON pool_key (created_at)",
            "CREATE TRIGGER more BEFORE INSERT ON sign_request FOR EACH ROW"
                + " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            "ALTER TABLE sign_request DISABLE TRIGGER ALL",
            "ALTER SEQUENCE pool_key_id_seq RESTART",
            "SELECT setval('pool_key_id_seq', 1)",
            "SELECT setval('pool_key_place_seq', 1)",
            "COPY sign_request TO PROGRAM 'cat'",
            "SET ROLE keywell_owner",
            "CREATE ROLE more",
            "ALTER ROLE keywell SUPERUSER"));
  }

  @Test
  void reportsReadRecordsAndNoKeys() throws SQLException {
    List<String> forbidden = new ArrayList<>();
    for (TableGrant grant : TableGrant.all()) {
      for (String privilege : privilegesOn(grant.table())) {
        if (!privilege.equals("SELECT")) {
          forbidden.add(statement(privilege, grant.table()));
        }
      }
    }
    forbidden.addAll(
        List.of(
            "SELECT wrapped_private_key FROM pool_key",
            "SELECT public_key FROM pool_key",
            "SELECT * FROM pool_key",
            "SELECT FROM used_proof",
            "SELECT FROM seen_message",
            "SELECT FROM message_attempt",
            "UPDATE sign_request SET status = 'failed'",
            "SELECT advance_places(1)",
            "CREATE TABLE more (id int)"));

    assertRefused(database.asReports(), forbidden);
    assertThat(asked(database.asReports(), "SELECT count(*) FROM pool_key")).containsExactly("0");
    assertThat(
            asked(
                database.asReports(),
                """
                SELECT key_spec FROM pool_key UNION SELECT status FROM sign_request
                UNION SELECT move FROM key_ledger UNION SELECT "requestID"::text FROM thesis_sign_request
                UNION SELECT instance FROM unused_certificate
                """))
        .isEmpty();
  }

  @Test
  void whatIsMoreThanTheServiceNeedsIsFound() throws SQLException {
    assertThat(excess(database.asService())).isEmpty();
    assertThat(excess(database)).endsWith("is a superuser");
    assertThat(excess(database.asOwner())).isEqualTo("keywell_owner owns tables");

    change(database, "GRANT DELETE ON sign_request, late_destruction TO keywell");
    change(database, "GRANT UPDATE ON pool_key TO PUBLIC");
    change(database, "GRANT CREATE ON SCHEMA public TO keywell");
    assertThat(excess(database.asService()))
        .isEqualTo(
            "keywell may create tables; may DELETE late_destruction, sign_request;"
                + " may UPDATE pool_key");

    change(database, "REVOKE UPDATE ON pool_key FROM PUBLIC");
    try (Connection superuser = database.connect()) {
      ROLES.create(superuser);
    }
    assertThat(excess(database.asService())).isEmpty();
  }

  @Test
  void theOwnerMayRepeatIt() throws Exception {
    String before = privileges();
    Callable<Void> repeat =
        () -> {
          try (Connection owner = database.asOwner().connect()) {
            ROLES.create(owner);
          }
          return null;
        };
    try (ExecutorService several = Executors.newFixedThreadPool(4)) {
      for (Future<Void> each : several.invokeAll(List.of(repeat, repeat, repeat, repeat))) {
        each.get();
      }
    }

    assertThat(privileges()).isEqualTo(before);
  }

  @Test
  void psqlTakesTheScriptAsOneTransaction() throws SQLException {
    change(database, "GRANT ALL ON ALL TABLES IN SCHEMA public TO keywell");
    change(database, ROLES.script());

    assertThat(excess(database.asService())).isEmpty();
    assertThat(ROLES.script()).startsWith("BEGIN;").endsWith("COMMIT;\n").doesNotContain("${");
  }

  /** As where one role owned the database and its tables and ran the service, too. */
  @Test
  void theOwnerBeforeBecomesTheServicesRole() throws SQLException {
    change(
        database,
        """
        CREATE ROLE before LOGIN PASSWORD 'before';
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO before', current_database()); END $$;
        REASSIGN OWNED BY keywell_owner TO before;
        """);
    Database before = new Database(database.url(), "before", "before");
    change(before, "CREATE TABLE own (id int)");
    assertThat(excess(before)).isEqualTo("before owns tables");

    try (Connection superuser = database.connect()) {
      new DatabaseRoles("after", "before", DatabaseRoles.REPORTS).create(superuser);
    }

    assertThat(excess(before)).isEmpty();
    assertRefused(before, List.of("CREATE TABLE more (id int)", "DELETE FROM sign_request"));
    assertThat(
            asked(
                database, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"))
        .containsExactly("after");
  }

  @Test
  void theCommandSaysWhoMayNotCreateRoles() {
    DatabaseRoles more = new DatabaseRoles("more_owner", "more", "more_reports");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> RoleCreation.run(more, BoundSettings.of().database()))
        .withMessageContaining("the embedded database has its roles");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> RoleCreation.run(more, settings(database.asService())))
        .withMessageStartingWith("keywell cannot create the roles in " + database.url())
        .withMessageContaining("permission denied");

    RoleCreation.run(ROLES, settings(database));
  }

  private static DatabaseProperties settings(Database database) {
    return BoundSettings.of(
            "keywell.database.url=" + database.url(),
            "keywell.database.username=" + database.username(),
            "keywell.database.password=" + database.password())
        .database();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a'b", "a\"b", "$a$", "é"})
  void aNameThatNeedsQuotesIsRefused(String name) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new DatabaseRoles(name, "b", "c"))
        .withMessageContaining("'" + name + "'");
  }

  @ParameterizedTest
  @CsvSource({"a, a, b", "a, b, a", "b, a, a"})
  void theRolesAreThree(String owner, String service, String reports) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new DatabaseRoles(owner, service, reports));
  }

  private boolean isTable(String relation) throws SQLException {
    return asked(
            database,
            "SELECT relkind IN ('r', 'p') FROM pg_class WHERE relname = '%s'".formatted(relation))
        .contains("t");
  }

  private List<String> columns(String table) throws SQLException {
    return asked(
        database,
        "SELECT attname FROM pg_attribute WHERE attrelid = '%s'::regclass AND attnum > 0"
                .formatted(table)
            + " AND NOT attisdropped AND attidentity <> 'a'");
  }

  /** All but UPDATE, which is granted by column. A view cannot be truncated. */
  private List<String> privilegesOn(String table) throws SQLException {
    List<String> privileges = new ArrayList<>(List.of("SELECT", "INSERT", "DELETE"));
    if (isTable(table)) {
      privileges.add("TRUNCATE");
    }
    return privileges;
  }

  private static String statement(String privilege, String table) {
    return switch (privilege) {
      case "SELECT" -> "SELECT FROM " + table;
      case "INSERT" -> "INSERT INTO %s DEFAULT VALUES".formatted(table);
      case "DELETE" -> "DELETE FROM " + table;
      default -> "TRUNCATE " + table;
    };
  }

  private static void assertRefused(Database as, List<String> statements) throws SQLException {
    SoftAssertions refusals = new SoftAssertions();
    try (Connection connection = as.connect();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        String state = "none";
        try {
          statement.execute(each);
        } catch (SQLException e) {
          state = e.getSQLState();
        }
        refusals.assertThat(state).as(each).isEqualTo(NO_PRIVILEGE);
      }
    }
    refusals.assertAll();
  }

  private String privileges() throws SQLException {
    return String.join(
        "\n",
        asked(
            database,
            """
            SELECT concat_ws(' ', c.relname, c.relacl, a.attname, a.attacl)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1
            """));
  }

  private static String excess(Database database) throws SQLException {
    try (HikariDataSource dataSource = database.dataSource()) {
      return new ExcessPrivileges(dataSource).find().orElse("");
    }
  }

  private static void change(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> asked(Database database, String query) throws SQLException {
    try (HikariDataSource dataSource = database.dataSource()) {
      return new Sql(dataSource).texts(query);
    }
  }
}
