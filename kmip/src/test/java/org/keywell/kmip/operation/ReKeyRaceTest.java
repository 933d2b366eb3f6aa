package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.kmip.operation.Client.id;
import static org.keywell.kmip.operation.Client.name;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.testkit.Sql;

/** What others do to a key while its successor is made. */
@Timeout(60)
final class ReKeyRaceTest {

  private static KeyManager manager;

  private final ExecutorService clients = Executors.newFixedThreadPool(2);
  private final KmipCaller caller = new KmipCaller("racer-" + UUID.randomUUID(), true, false);

  @BeforeAll
  static void start() {
    manager = new KeyManager(InstantSource.system());
  }

  @AfterAll
  static void stop() {
    manager.close();
  }

  @AfterEach
  void nothingIsLeft() throws SQLException {
    clients.shutdownNow();
    assertThat(manager.unexpected).isEmpty();
    assertThat(manager.hsm.countLiveKeys()).isZero();
    assertThat(count("SELECT count(*) FROM claimed_key")).isZero();
  }

  private static long count(String query) throws SQLException {
    return new Sql(manager.dataSource).count(query);
  }

  private Client client() {
    return new Client(
        manager.processor(new ExportPolicy(false, true)), ProtocolVersion.V2_1, caller);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ReKey", "ReKeyKeyPair"})
  void ofTwoAtOnceOneReplacesTheKey(String operation) throws Exception {
    boolean pair = operation.equals("ReKeyKeyPair");
    String old =
        pair
            ? client().createPair("EC", 256).getFirst()
            : client().createAes(128, name("contended"));
    List<String> ends;
    try (Connection holder = holding(old)) {
      Future<String> one = clients.submit(() -> end(operation, old));
      Future<String> other = clients.submit(() -> end(operation, old));
      awaitWaiting(2);
      holder.rollback();
      ends = List.of(one.get(), other.get());
    }

    assertThat(ends)
        .containsExactlyInAnyOrder("replaced", "PermissionDenied: the key was replaced before");
    assertThat(client().locate()).as("the old and the new").hasSize(pair ? 4 : 2);
    if (!pair) {
      assertThat(client().locate(name("contended"))).hasSize(1).doesNotContain(old);
    }
  }

  @Test
  void aKeyThatIsDestroyedMeanwhileIsNotReplaced() throws Exception {
    String old = client().createAes(128);
    try (Connection holder = holding(old)) {
      Future<String> late = clients.submit(() -> end("ReKey", old));
      awaitWaiting(1);
      try (PreparedStatement destroy =
          holder.prepareStatement(
              "UPDATE managed_object SET state = 5, material = NULL WHERE id = ?")) {
        destroy.setObject(1, UUID.fromString(old));
        destroy.execute();
      }
      holder.commit();
      assertThat(late.get()).isEqualTo("ObjectDestroyed: the key was destroyed");
    }
    assertThat(client().locate()).as("no new one, and the old one is destroyed").isEmpty();
  }

  private String end(String operation, String key) {
    try {
      var _ = client().ask(operation, id(key));
      return "replaced";
    } catch (Client.Refused e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Locks the key's row, so that all have checked what they check ahead before one goes on. */
  private static Connection holding(String key) throws SQLException {
    Connection connection = manager.dataSource.getConnection();
    connection.setAutoCommit(false);
    try (PreparedStatement lock =
        connection.prepareStatement("SELECT 1 FROM managed_object WHERE id = ? FOR UPDATE")) {
      lock.setObject(1, UUID.fromString(key));
      lock.execute();
    }
    return connection;
  }

  private void awaitWaiting(int sessions) throws Exception {
    String waiting =
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """;
    while (count(waiting) < sessions) {
      Thread.onSpinWait();
    }
  }
}
