package org.keywell.kmip.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.SampleObjects;
import org.keywell.kmip.object.State;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class ObjectLogTest {

  private static final String ENTRIES =
      """
      SELECT concat_ws(' ', e ->> 'caller', e ->> 'operation', e ->> 'objectType', e ->> 'object')
      FROM (SELECT seq, convert_from(entry, 'UTF8')::jsonb AS e FROM log_pending) AS entries
      ORDER BY seq
      """;

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private final Sql sql = new Sql(dataSource);
  private final ObjectStore store = new ObjectStore(dataSource, "one");

  @AfterEach
  void close() {
    dataSource.close();
  }

  private void keepLog() throws SQLException {
    sql.update("INSERT INTO log_tree (origin, size, root) VALUES ('test', 0, sha256(''))");
  }

  @Test
  void eachOperationHasOneEntryForEachObject() throws SQLException {
    keepLog();
    ManagedObject key = SampleObjects.key("alice", Attributes.NONE);
    ManagedObject other = of(ObjectType.PUBLIC_KEY);
    store.insert("Create", List.of(key, other), InTransaction.NOTHING);
    store.use("Get", "alice", key.id());
    store.change("Destroy", "alice", key.id(), ManagedObject::destroyed);

    // None of these tells the log something.
    store.require("alice", key.id());
    store.locate("alice", LocateQuery.of(List.of(), 0, 10));
    notFound(() -> store.use("Get", "bob", key.id()));
    notFound(() -> store.change("Destroy", "bob", key.id(), ManagedObject::destroyed));
    assertThatIllegalStateException()
        .isThrownBy(() ->
            store.change(
                "Revoke",
                "alice",
                key.id(),
                object -> {
                  throw new IllegalStateException();
                }));
    assertThatIllegalStateException()
        .isThrownBy(() ->
            store.insert(
                "Create",
                List.of(SampleObjects.key("alice", Attributes.NONE)),
                connection -> {
                  throw new IllegalStateException();
                }));

    assertThat(sql.texts(ENTRIES))
        .containsExactly(
            "alice Create SymmetricKey " + key.id(),
            "alice Create PublicKey " + other.id(),
            "alice Get SymmetricKey " + key.id(),
            "alice Destroy SymmetricKey " + key.id());
  }

  private static void notFound(ThrowingCallable call) {
    assertThatExceptionOfType(KmipException.class).isThrownBy(call);
  }

  @Test
  void withoutALogNothingIsWritten() throws SQLException {
    ManagedObject key = SampleObjects.key("alice", Attributes.NONE);
    store.insert("Create", List.of(key), InTransaction.NOTHING);
    store.use("Get", "alice", key.id());
    store.change("Activate", "alice", key.id(), object -> object.in(State.ACTIVE));

    assertThat(sql.count("SELECT count(*) FROM log_pending")).isZero();
  }

  @Test
  void entriesHaveTheFormOfRfc8785() throws SQLException {
    keepLog();
    ManagedObject key = SampleObjects.key("CN=\"ä\"\n", Attributes.NONE);
    store.insert("Create", List.of(key), InTransaction.NOTHING);

    String entry = sql.text("SELECT convert_from(entry, 'UTF8') FROM log_pending");
    assertThat(entry.replaceFirst("\"at\":\"[0-9T:.-]{26}Z\"", "AT"))
        .isEqualTo(
            """
            {AT,"caller":"CN=\\"ä\\"\\n","instance":"one","object":"%s",\
            "objectType":"SymmetricKey","operation":"Create","type":"managed-object","v":1}\
            """
                .formatted(key.id()));
  }

  @Test
  void typesHaveTheirNames() throws SQLException {
    keepLog();
    for (ObjectType each : ObjectType.values()) {
      store.insert("Register", List.of(of(each)), InTransaction.NOTHING);
    }

    assertThat(
            sql.texts(
                "SELECT convert_from(entry, 'UTF8')::jsonb ->> 'objectType' FROM log_pending"
                    + " ORDER BY seq"))
        .containsExactly(
            List.of(ObjectType.values()).stream().map(ObjectType::label).toArray(String[]::new));
  }

  private static ManagedObject of(ObjectType type) {
    Material material =
        type.isPublic()
            ? new Material.Plain(new byte[] {1})
            : new Material.Wrapped("managed-1", new byte[] {1}, null);
    return new ManagedObject(
        UUID.randomUUID(), "alice", type, State.PRE_ACTIVE, Attributes.NONE, material);
  }
}
