package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class MessageAttemptsTest {

  private static final RecordsDatabase database = new RecordsDatabase();

  private final MessageAttempts one = new MessageAttempts(database.dataSource(), "one");
  private final MessageAttempts other = new MessageAttempts(database.dataSource(), "other");

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void attemptsThatAreNotEndedAddUpAtAnyInstance() throws Exception {
    assertThat(one.isOpen("requests", "17")).isFalse();
    assertThat(one.begin("requests", "17")).isZero();
    assertThat(other.isOpen("requests", "17")).isTrue();
    assertThat(other.begin("requests", "17")).isOne();
    assertThat(one.begin("requests", "17")).isEqualTo(2);

    assertThat(other.begin("requests", "18")).as("another message").isZero();
    assertThat(other.begin("other requests", "17")).as("another queue").isZero();
    assertThat(
            new Sql(database.dataSource())
                .text("SELECT instance FROM message_attempt WHERE message = '17' AND cut_off = 2"))
        .isEqualTo("one");
  }

  @Test
  void anEndForgetsThoseBeforeIt() {
    assertThat(one.begin("requests", "20")).isZero();
    assertThat(one.begin("requests", "20")).isOne();
    other.end("requests", "20");

    assertThat(one.isOpen("requests", "20")).isFalse();
    assertThat(one.begin("requests", "20")).isZero();
    other.end("requests", "of nobody");
  }

  @Test
  void messagesThatNeverCameAgainAreForgotten() throws Exception {
    Sql sql = new Sql(database.dataSource());
    for (String message : new String[] {"30", "31"}) {
      assertThat(one.begin("old", message)).isZero();
    }
    int _ =
        sql.update(
            "UPDATE message_attempt SET since = now() - interval '8 days' WHERE queue = 'old'");

    assertThat(one.begin("old", "30")).isOne();
    assertThat(sql.texts("SELECT message FROM message_attempt WHERE queue = 'old'"))
        .containsExactly("30");
  }
}
