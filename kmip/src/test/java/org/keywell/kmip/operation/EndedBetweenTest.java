package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.operation.Client.id;
import static org.keywell.kmip.operation.Client.name;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.testkit.Sql;

/**
 * Operations that make something in the HSM and a row, ended between the two: the database ends the
 * session that was to write the row.
 */
@Timeout(60)
final class EndedBetweenTest {

  private static KeyManager manager;

  private final KmipCaller caller = new KmipCaller("ended-" + UUID.randomUUID(), true, true);
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  @BeforeAll
  static void start() {
    manager = new KeyManager(InstantSource.system());
  }

  @AfterAll
  static void stop() {
    manager.close();
  }

  @AfterEach
  void end() {
    other.shutdownNow();
    manager.unexpected.clear();
  }

  private Client client() {
    return new Client(
        manager.processor(new ExportPolicy(true, true)), ProtocolVersion.V2_1, caller);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Create", "Register", "CreateKeyPair", "ReKey", "ReKeyKeyPair"})
  void nothingIsLeftAndTheNextOneWorks(String operation) throws Exception {
    String old =
        switch (operation) {
          case "ReKey" -> client().createAes(128, name("key"));
          case "ReKeyKeyPair" -> client().createPair("EC", 256).getFirst();
          default -> "";
        };
    long rows = rows();
    try (HikariDataSource superuser = manager.database.dataSource();
        Connection holder = superuser.getConnection()) {
      holder.setAutoCommit(false);
      lock(holder);
      Future<String> ended = other.submit(() -> end(operation, old));
      endWaiting(new Sql(superuser));
      holder.rollback();
      assertThat(ended.get()).startsWith("GeneralFailure");
    }

    assertThat(manager.hsm.countLiveKeys()).isZero();
    assertThat(manager.hsm.countStrayTokenKeys(Set.of())).isZero();
    assertThat(rows()).isEqualTo(rows);
    assertThat(sql().count("SELECT count(*) FROM claimed_key")).isZero();
    assertThat(end(operation, old)).isEqualTo("done");
    assertThat(rows()).isEqualTo(rows + (operation.endsWith("KeyPair") ? 2 : 1));
    assertThat(manager.hsm.countLiveKeys()).isZero();
  }

  private String end(String operation, String old) {
    try {
      Client client = client();
      Object _ =
          switch (operation) {
            case "Create" -> client.createAes(256, name("key"));
            case "CreateKeyPair" -> client.createPair("EC", 256);
            case "Register" ->
                client.ask(
                    "Register",
                    Tag.named("ObjectType").item("SymmetricKey"),
                    client.template("TemplateAttribute", "Attributes", name("key")),
                    structure("SymmetricKey", block()));
            default -> client.ask(operation, id(old));
          };
      return "done";
    } catch (Client.Refused e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static Item block() {
    return structure(
        "KeyBlock",
        Tag.named("KeyFormatType").item("Raw"),
        structure("KeyValue", Client.bytes("KeyMaterial", new byte[16])),
        Tag.named("CryptographicAlgorithm").item("AES"));
  }

  private static Sql sql() {
    return new Sql(manager.dataSource);
  }

  private static long rows() throws SQLException {
    return sql().count("SELECT count(*) FROM managed_object");
  }

  /** Readers go on, writers wait. */
  private static void lock(Connection holder) throws SQLException {
    try (PreparedStatement lock =
        holder.prepareStatement("LOCK TABLE managed_object IN EXCLUSIVE MODE")) {
      lock.execute();
    }
  }

  private static void endWaiting(Sql superuser) throws SQLException {
    String end =
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """;
    while (superuser.count(end) == 0) {
      Thread.onSpinWait();
    }
  }
}
