package org.keywell.xks.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.LocalDate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

/** Who is behind a use can be told until that is erased; the log itself never says it. */
@Tag("postgresql")
final class UsesInTheLogTest {

  private static final String OPENED =
      """
      SELECT count(*) FROM log_pending JOIN xks_use u
      ON convert_from(entry, 'UTF8')::jsonb ->> 'client' = encode(
        xks_client(u.salt, u.principal, u.kms_key, u.kms_operation, u.kms_request), 'hex')
      """;

  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource owner = database.dataSource();
  private final HikariDataSource service = database.asService().dataSource();
  private final Sql sql = new Sql(owner);
  private final XksKeys keys = new XksKeys(service, "test");

  @BeforeEach
  void keepALog() throws SQLException {
    sql.update("INSERT INTO log_tree (origin, size, root) VALUES ('test', 0, sha256(''))");
    sql.update(
        """
        INSERT INTO xks_key (name, token_id, key_check, can_encrypt, can_decrypt, state)
        VALUES ('foo', decode(repeat('00', 16), 'hex'), '', true, true, 'enabled')
        """);
  }

  @AfterEach
  void close() {
    service.close();
    owner.close();
  }

  private void use(String principal) {
    KeyUse use =
        new KeyUse("Encrypt", "caller", principal, "arn:key", "GenerateDataKey", "id", true, false);
    assertThat(keys.use("foo", use)).map(XksKey::token).map(TokenAesKey::label).hasValue("xks-foo");
  }

  @Test
  void theLogHasACommitmentThatCanBeErased() throws Exception {
    use("arn:Alice");
    use("arn:Alice");
    use("arn:B\0b");

    for (String entry : sql.texts("SELECT convert_from(entry, 'UTF8') FROM log_pending")) {
      assertThat(entry)
          .contains("\"key\":\"foo\"", "\"type\":\"xks\",\"v\":2")
          .doesNotContain("arn:", "GenerateDataKey", "\"id\"");
    }
    assertThat(sql.count("SELECT count(DISTINCT entry) FROM log_pending")).isEqualTo(3);
    assertThat(sql.count(OPENED)).isEqualTo(3);
    assertThatExceptionOfType(SQLException.class)
        .as("the service, which everyone can reach")
        .isThrownBy(() -> new Sql(service).texts("SELECT principal FROM xks_use"));

    assertThat(XksKeys.erase(owner, LocalDate.of(2001, 1, 1))).isZero();
    assertThat(XksKeys.erase(owner, "arn:Alice")).isEqualTo(2);
    assertThat(sql.count(OPENED)).isEqualTo(1);
    assertThat(XksKeys.erase(owner, "arn:B\0b")).isEqualTo(1);
    assertThat(sql.count("SELECT count(*) FROM log_pending")).isEqualTo(3);
  }
}
