package org.keywell.kmip.store;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.SampleObjects;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

/** What the tables refuse, regardless of who writes. */
@Tag("postgresql")
@Timeout(60)
final class ConstraintsTest {

  private final Database database = PostgresForTests.newDatabase();
  private final HikariDataSource superuser = database.dataSource();

  @BeforeEach
  void insert() {
    new ObjectStore(superuser, "one")
        .insert(
            "Create", List.of(SampleObjects.key("alice", Attributes.NONE)), InTransaction.NOTHING);
  }

  @AfterEach
  void close() {
    superuser.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state = 0",
        "state = 7",
        "state = 5",
        "material = NULL",
        "object_type = 5",
        "object_type = 9",
        "owner = ''",
        "wrapping_key_id = NULL",
        "material = ''",
        "attributes = decode(repeat('00', 65537), 'hex')"
      })
  void isRefused(String assignment) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> new Sql(superuser).update("UPDATE managed_object SET " + assignment))
        .withMessageContaining("violates check constraint");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM managed_object",
        "TRUNCATE managed_object",
        "UPDATE managed_object SET owner = 'bob'",
        "UPDATE managed_object SET wrapping_key_id = 'other'",
        "UPDATE managed_object SET object_type = 1"
      })
  void theServiceMayNot(String statement) {
    try (HikariDataSource service = database.asService().dataSource()) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> new Sql(service).update(statement))
          .withMessageContaining("permission denied");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"material", "attributes", "search"})
  void reportsMayNotRead(String column) {
    try (HikariDataSource reports = database.asReports().dataSource()) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> new Sql(reports).texts("SELECT " + column + " FROM managed_object"))
          .withMessageContaining("permission denied");
    }
  }
}
