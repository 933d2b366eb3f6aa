package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MissingDatabaseTest {

  @ParameterizedTest
  @ValueSource(strings = {"08001", "08006", "57P01", "57P02", "57P03", "53300"})
  void aServerThatIsNotThereYetIsWaitedFor(String state) {
    assertThat(MissingDatabase.isNotThereYet(wrapped(state))).isTrue();
  }

  /** A wrong password or name, no such database, no TLS, a failed migration. */
  @ParameterizedTest
  @ValueSource(strings = {"28P01", "28000", "3D000", "08004", "42501"})
  void whatWaitingDoesNotMendIsNot(String state) {
    assertThat(MissingDatabase.isNotThereYet(wrapped(state))).isFalse();
  }

  @Test
  void theReasonSaysWhatFailed() {
    assertThat(MissingDatabase.reason(new SQLException("x", new UnknownHostException("database"))))
        .isEqualTo("unknown host database");
    assertThat(MissingDatabase.reason(new SQLException("x", new ConnectException("refused"))))
        .isEqualTo("refused");
    assertThat(MissingDatabase.reason(new IllegalStateException(new SQLException("no role"))))
        .isEqualTo("no role");
  }

  private static Exception wrapped(String state) {
    return new IllegalStateException("migration", new SQLException("told", state));
  }
}
