package org.keywell.signing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.signing.pool.IdlenessWatch.HINT_COUNTS;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.TokenUse;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class IdlenessWatchTest {

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private final Sql sql = new Sql(dataSource);

  @AfterEach
  void close() {
    dataSource.close();
  }

  /** A token as one instance has it. */
  private static final class Token {
    final String id;
    boolean busy;
    final List<Duration> pauses = new ArrayList<>();

    Token(String id) {
      this.id = id;
    }

    SharedToken shared() {
      return new SharedToken(() -> id, () -> busy, pauses::add);
    }

    /** One pause, of as much of a hint's time as can have been left. */
    void assertPaused() {
      assertThat(pauses).hasSize(1);
      assertThat(pauses.getFirst()).isPositive().isLessThanOrEqualTo(HINT_COUNTS);
      pauses.clear();
    }
  }

  private IdlenessWatch instance(String name, Token... tokens) {
    return new IdlenessWatch(
        () -> Stream.of(tokens).map(Token::shared).toList(), new TokenUse(dataSource, name));
  }

  @Test
  void whileOneSignsTheOtherPausesForABoundedTime() {
    Token mine = new Token("token");
    Token theirs = new Token("token");
    IdlenessWatch here = instance("a", mine);
    IdlenessWatch there = instance("b", theirs);

    mine.busy = true;
    here.look();
    there.look();
    theirs.assertPaused();
    here.look();
    assertThat(mine.pauses).as("not because of itself").isEmpty();

    mine.busy = false;
    here.look();
    there.look();
    assertThat(theirs.pauses).as("the hint counts for a while").hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void bothSignAndBothPause() {
    Token mine = new Token("token");
    Token theirs = new Token("token");
    mine.busy = true;
    theirs.busy = true;
    IdlenessWatch here = instance("a", mine);
    instance("b", theirs).look();
    here.look();
    mine.assertPaused();
    instance("b", theirs).look();
    theirs.assertPaused();
  }

  @Test
  void aTokenIsNotPausedForAnother() {
    Token first = new Token("first");
    Token second = new Token("second");
    Token theirFirst = new Token("first");
    Token theirSecond = new Token("second");
    second.busy = true;
    instance("a", first, second).look();
    instance("b", theirFirst, theirSecond).look();

    assertThat(theirFirst.pauses).isEmpty();
    theirSecond.assertPaused();
  }

  @Test
  void anInstanceThatDoesNotSignWritesNothing() throws SQLException {
    Token idle = new Token("token");
    instance("a", idle).look();
    assertThat(sql.count("SELECT count(*) FROM token_use")).isZero();

    idle.busy = true;
    instance("a", idle).look();
    idle.busy = false;
    String told = sql.text("SELECT xmin || ' ' || busy_at FROM token_use");
    instance("a", idle).look();
    assertThat(sql.text("SELECT xmin || ' ' || busy_at FROM token_use")).isEqualTo(told);
  }

  /** Those of instances that are gone, and those that a clock that was set back has left. */
  @Test
  void oldRowsAndRowsOfTheFutureDoNotCount() throws SQLException {
    Token token = new Token("token");
    IdlenessWatch watch = instance("a", token);
    sql.update(
        """
        INSERT INTO token_use VALUES ('token', 'gone', clock_timestamp() - interval '1.3 s'),
          ('token', 'ahead', clock_timestamp() + interval '1 h')
        """);
    watch.look();
    assertThat(token.pauses).isEmpty();

    sql.update("UPDATE token_use SET busy_at = clock_timestamp() WHERE instance = 'gone'");
    watch.look();
    token.assertPaused();
  }

  /** What its thread logs once, and tries again. */
  @Test
  void withoutADatabaseThereIsNoHint() {
    Token token = new Token("token");
    IdlenessWatch watch = instance("a", token);
    dataSource.close();
    assertThatThrownBy(watch::look).isInstanceOf(DatabaseException.class);
    assertThat(token.pauses).isEmpty();
  }

  /** Neither a disk nor a standby is waited for. */
  @Test
  void aHintIsNotLogged() throws SQLException {
    assertThat(sql.text("SELECT relpersistence FROM pg_class WHERE relname = 'token_use'"))
        .isEqualTo("u");
  }
}
