package org.keywell.service.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.store.PostgresForTests;
import org.keywell.service.StartRefusedException;
import org.keywell.service.running.Sql;

@Timeout(60)
final class InstanceLockTest {

  @Test
  void oneProcessAtATimeRunsUnderAName() throws Exception {
    try (HikariDataSource one = PostgresForTests.newDatabase().dataSource()) {
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
  void aConnectionThatDiesFreesTheName() throws Exception {
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    try (HikariDataSource died = database.dataSource();
        HikariDataSource next = database.dataSource()) {
      InstanceLock lock = InstanceLock.acquire(died, "a");
      assertRefused(next);
      new Sql(next)
          .count(
              "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'");

      await()
          .ignoreException(StartRefusedException.class)
          .until(() -> {
            InstanceLock.acquire(next, "a").close();
            return true;
          });
      assertThatExceptionOfType(SQLException.class).isThrownBy(lock::close);
    }
  }

  private static void assertRefused(HikariDataSource dataSource) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> InstanceLock.acquire(dataSource, "a"))
        .withMessageContaining("keywell.instance 'a'");
  }
}
