package org.keywell.signing.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.PoolListener;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.database.VanishedInstances;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.sign.SignListener;
import org.keywell.signing.start.NotThereYetException;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class AdoptionTest {

  private final Database database = PostgresForTests.newDatabase();
  private final HikariDataSource dataSource = database.asService().dataSource();
  private final Sql sql = new Sql(dataSource);
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger keys = new AtomicInteger();
  private final LogWriter writer = LogWriter.on(System::nanoTime);
  private InstanceLock lock;
  private Adoption adoption;

  @BeforeEach
  void start() throws Exception {
    lock = InstanceLock.acquire(dataSource, "heir");
    adoption = adoption("heir", lock);
  }

  @AfterEach
  void close() throws Exception {
    lock.close();
    dataSource.close();
  }

  private Adoption adoption(String name, InstanceLock held) {
    return new Adoption(
        new VanishedInstances(dataSource, name),
        held,
        new SignListener() {
          @Override
          public void interrupted(int count) {
            requests.addAndGet(count);
          }
        },
        new PoolListener() {
          @Override
          public void forfeited(int count) {
            keys.addAndGet(count);
          }
        },
        nanos::get,
        name,
        writer);
  }

  private void leave(String instance) throws Exception {
    sql.update(
        """
        INSERT INTO claimed_key (id, key_spec, wrapping_key_id, instance)
        SELECT coalesce(max(id), 0) + 1, 'EC-P256', 'w', '%s' FROM claimed_key
        """
            .formatted(instance));
    sql.update("INSERT INTO key_reservation VALUES ('%s', 'EC-P256', 'w', 3)".formatted(instance));
    sql.update(
        "INSERT INTO key_ledger VALUES ('%s', 'EC-P256', 'w', 'generated', 1)".formatted(instance));
    sql.update(
        "INSERT INTO key_ledger VALUES ('%s', 'EC-P256', 'w', 'claimed', 1)".formatted(instance));
    sql.update(
        """
        INSERT INTO sign_request
          (request_id, request_sha256, status, instance, caller, pool_mode, digest_algorithm,
           digest, signature_algorithm, key_spec, request_received)
        VALUES (gen_random_uuid(), '', 'received', '%s', '', 'pooled', '', '', '', '', now())
        """
            .formatted(instance));
  }

  private void lookFor(Duration time) {
    for (Duration left = time; !left.isNegative(); left = left.minusSeconds(5)) {
      adoption.look();
      nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    }
  }

  @Test
  void settlesWhatOneLeftWhoseLockNobodyHasHeldForAWhile() throws Exception {
    leave("gone");
    sql.update("INSERT INTO token_use VALUES ('token', 'gone'), ('token', 'running')");
    lookFor(Duration.ofSeconds(5));
    assertThat(keys).hasValue(0);

    lookFor(Duration.ofSeconds(0));

    assertThat(requests).hasValue(1);
    assertThat(keys).hasValue(1);
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).isZero();
    assertThat(sql.count("SELECT count(*) FROM key_reservation")).isZero();
    assertThat(sql.texts("SELECT instance FROM token_use")).containsExactly("running");
    assertThat(sql.text("SELECT failure FROM sign_request")).isEqualTo("interrupted");
    assertThat(
            sql.texts("SELECT instance || ' ' || move || ' ' || keys FROM key_ledger ORDER BY 1"))
        .containsExactly("heir claimed 1", "heir forfeited 1", "heir generated 1");

    assertThat(
            sql.text(
                """
                SELECT concat_ws(' ', e ->> 'type', e ->> 'instance', e ->> 'vanished',
                    e ->> 'requests', e ->> 'keys')
                FROM (SELECT convert_from(entry, 'UTF8')::jsonb AS e FROM log_pending) AS entries
                WHERE e ->> 'type' = 'adopted'
                """))
        .isEqualTo("adopted heir gone 1 1");

    lookFor(Duration.ofSeconds(60));
    assertThat(keys).hasValue(1);
  }

  @Test
  void leavesThoseAloneThatRun() throws Exception {
    leave("heir");
    leave("running");
    try (InstanceLock running = InstanceLock.acquire(dataSource, "running")) {
      lookFor(Duration.ofSeconds(60));
      assertThat(running.ensureHeld()).isTrue();
    }
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).isEqualTo(2);
    assertThat(requests).hasValue(0);
  }

  @Test
  void oneThatCameBackInTimeHasItsPatienceAnew() throws Exception {
    leave("gone");
    lookFor(Duration.ofSeconds(5));
    try (InstanceLock back = InstanceLock.acquire(dataSource, "gone")) {
      assertThat(back.ensureHeld()).isTrue();
      lookFor(Duration.ofSeconds(0));
    }
    lookFor(Duration.ofSeconds(5));
    assertThat(keys).hasValue(0);
    lookFor(Duration.ofSeconds(0));
    assertThat(keys).hasValue(1);
  }

  @Test
  void ofTwoHeirsEachFindsWhatTheOtherLeaves() throws Exception {
    leave("gone");
    leave("gone-too");
    try (InstanceLock another = InstanceLock.acquire(dataSource, "another")) {
      Adoption second = adoption("another", another);
      for (int look = 0; look < 4; look++) {
        Thread other = Thread.ofPlatform().start(second::look);
        adoption.look();
        other.join();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
      }
    }
    assertThat(keys).hasValue(2);
    assertThat(requests).hasValue(2);
  }

  /** It may be the one that is cut off. */
  @Test
  void whoHasLostItsOwnNameSettlesNothing() throws Exception {
    leave("gone");
    lookFor(Duration.ofSeconds(5));
    sql.count("SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'");
    try (HikariDataSource elsewhere = database.dataSource()) {
      InstanceLock thief = acquireSoon(elsewhere);
      assertThat(lock.ensureHeld()).isFalse();
      lookFor(Duration.ofSeconds(60));
      assertThat(keys).hasValue(0);
      thief.close();
    }
    assertThat(lock.ensureHeld()).isTrue();
    assertThat(lock.timesTaken()).isEqualTo(2);
    lookFor(Duration.ofSeconds(10));
    assertThat(keys).hasValue(1);
  }

  private static InstanceLock acquireSoon(HikariDataSource dataSource) throws Exception {
    while (true) {
      try {
        return InstanceLock.acquire(dataSource, "heir");
      } catch (StartRefusedException e) {
        Thread.sleep(20);
      }
    }
  }

  @Test
  void aStartWaitsForTheEndOfASettlement() throws Exception {
    VanishedInstances vanished = new VanishedInstances(dataSource, "heir");

    assertThat(
            vanished.settle(
                "gone",
                connection -> {
                  assertThatExceptionOfType(NotThereYetException.class)
                      .isThrownBy(() -> InstanceLock.acquire(dataSource, "gone"))
                      .withMessageContaining("keywell.instance 'gone'");
                  return "settled";
                }))
        .contains("settled");

    try (InstanceLock started = InstanceLock.acquire(dataSource, "gone")) {
      assertThat(vanished.settle("gone", connection -> "settled")).isEmpty();
      assertThat(started.ensureHeld()).isTrue();
    }
  }
}
