package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.settings.StartRefusedException;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class InstanceLockTest {

  @Test
  void oneProcessAtATimeRunsUnderAName() throws Exception {
    try (HikariDataSource one = PostgresForTests.newDatabase().asService().dataSource()) {
      InstanceLock lock = InstanceLock.acquire(one, "a");
      assertRefused(one);
      InstanceLock.acquire(one, "b").close();
      lock.close();

      InstanceLock.acquire(one, "a").close();
      // Neither a refusal nor a close keeps a connection.
      assertThat(one.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  @Test
  void thoseThatRunAreCounted() throws Exception {
    PostgresForTests.Database database = PostgresForTests.newDatabase().asService();
    try (HikariDataSource one = database.dataSource()) {
      RunningInstances running = new RunningInstances(one);
      assertThat(running.count()).isZero();
      InstanceLock a = InstanceLock.acquire(one, "a");
      InstanceLock b = InstanceLock.acquire(one, "b");
      assertThat(running.count()).isEqualTo(2);

      a.close();
      assertThat(running.count()).isEqualTo(1);
      b.close();
    }
  }

  @Test
  void aConnectionThatDiesFreesTheName() throws Exception {
    PostgresForTests.Database database = PostgresForTests.newDatabase().asService();
    try (HikariDataSource died = database.dataSource();
        HikariDataSource next = database.dataSource()) {
      InstanceLock lock = InstanceLock.acquire(died, "a");
      assertRefused(next);
      endHolders(next);

      await()
          .ignoreException(StartRefusedException.class)
          .until(() -> {
            InstanceLock.acquire(next, "a").close();
            return true;
          });
      assertThatExceptionOfType(SQLException.class).isThrownBy(lock::close);
    }
  }

  @Test
  void whoHasLostTheNameSettlesNothingUnderIt() throws Exception {
    PostgresForTests.Database database = PostgresForTests.newDatabase().asService();
    try (HikariDataSource died = database.dataSource();
        HikariDataSource next = database.dataSource()) {
      InstanceLock lock = InstanceLock.acquire(died, "a");
      assertThat(lock.<Integer>whileHeld(_ -> 1)).isEqualTo(1);
      endHolders(next);

      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() ->
              lock.whileHeld(connection ->
                  connection
                      .createStatement()
                      .executeUpdate(
                          "INSERT INTO record_correction (records, reason) VALUES (1, 'x')")));
      assertThat(new Sql(next).count("SELECT count(*) FROM record_correction")).isZero();
    }
  }

  @Test
  void aNameThatWasLostIsTakenAgainUnlessAnotherHasIt() throws Exception {
    PostgresForTests.Database database = PostgresForTests.newDatabase().asService();
    try (HikariDataSource one = database.dataSource();
        HikariDataSource another = database.dataSource()) {
      InstanceLock lock = InstanceLock.acquire(one, "a");
      assertThat(lock.ensureHeld()).isTrue();

      endHolders(another);
      await().until(lock::ensureHeld);
      assertRefused(another);

      endHolders(another);
      InstanceLock intruder =
          await()
              .ignoreException(StartRefusedException.class)
              .until(() -> InstanceLock.acquire(another, "a"), Objects::nonNull);
      assertThat(lock.ensureHeld()).isFalse();
      intruder.close();
      assertThat(lock.ensureHeld()).isTrue();
      lock.close();
    }
  }

  /** Closing the broken connection fails, which is no reason to wait for another turn. */
  @Test
  void aNameThatIsFreeIsTakenAgainAtOnce() throws Exception {
    PostgresForTests.Database database = PostgresForTests.newDatabase().asService();
    try (HikariDataSource one = database.dataSource();
        HikariDataSource another = database.dataSource()) {
      InstanceLock lock = InstanceLock.acquire(one, "a");
      endHolders(another);
      await()
          .until(() ->
              new Sql(another)
                      .count("SELECT count(*) FROM pg_locks" + " WHERE locktype = 'advisory'")
                  == 0);

      assertThat(lock.ensureHeld()).isTrue();
      assertThat(lock.loss()).isEmpty();
      lock.close();
    }
  }

  private static void endHolders(HikariDataSource dataSource) throws SQLException {
    new Sql(dataSource)
        .count("SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'");
  }

  private static void assertRefused(HikariDataSource dataSource) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> InstanceLock.acquire(dataSource, "a"))
        .withMessageContaining("keywell.instance 'a'");
  }
}
