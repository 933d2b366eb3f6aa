package org.keywell.kmip.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.keywell.kmip.object.SampleObjects.CUSTOM;
import static org.keywell.kmip.object.SampleObjects.NAME;
import static org.keywell.kmip.object.SampleObjects.name;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.store.StoreException;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.SampleObjects;
import org.keywell.kmip.object.State;
import org.keywell.kmip.ttlv.Value;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class ObjectStoreTest {

  private static final String COUNT = "SELECT count(*) FROM managed_object";

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private final Sql sql = new Sql(dataSource);
  private final ObjectStore store = new ObjectStore(dataSource, "one");

  @AfterEach
  void close() {
    dataSource.close();
  }

  private ManagedObject inserted(ManagedObject object) {
    store.insert("Create", List.of(object), InTransaction.NOTHING);
    return object;
  }

  @Test
  void whatIsInsertedIsFound() {
    ManagedObject key =
        SampleObjects.key(
            "alice", Attributes.NONE.add(NAME, name("a")).add(CUSTOM, new Value.Text("ü")));
    ManagedObject publicKey =
        new ManagedObject(
            UUID.randomUUID(),
            "alice",
            ObjectType.PUBLIC_KEY,
            State.ACTIVE,
            Attributes.NONE,
            new Material.Plain(new byte[] {9}));
    store.insert("Create Key Pair", List.of(key, publicKey), InTransaction.NOTHING);

    for (ManagedObject each : List.of(key, publicKey)) {
      assertThat(store.require("alice", each.id())).usingRecursiveComparison().isEqualTo(each);
      assertThat(store.use("Get", "alice", each.id())).usingRecursiveComparison().isEqualTo(each);
    }
  }

  @Test
  void anothersObjectIsLikeNone() {
    UUID id = inserted(SampleObjects.key("alice", Attributes.NONE)).id();
    UUID none = UUID.randomUUID();

    for (UUID each : List.of(id, none)) {
      notFound(() -> store.require("bob", each));
      notFound(() -> store.use("Get", "bob", each));
      notFound(() -> store.change("Activate", "bob", each, object -> object.in(State.ACTIVE)));
    }
    assertThat(store.require("alice", id).state()).isEqualTo(State.PRE_ACTIVE);
  }

  private static void notFound(ThrowingCallable call) {
    assertThatExceptionOfType(KmipException.class)
        .isThrownBy(call)
        .withMessage("object not found")
        .withNoCause();
  }

  @Test
  void changesOfOneObjectTakeTurns() throws Exception {
    UUID id = inserted(SampleObjects.key("alice", Attributes.NONE)).id();
    CyclicBarrier start = new CyclicBarrier(2);
    Callable<ManagedObject> adds =
        () -> {
          start.await();
          ManagedObject last = store.require("alice", id);
          for (int i = 0; i < 50; i++) {
            last =
                store.change(
                    "AddAttribute",
                    "alice",
                    id,
                    o -> o.with(o.attributes().add(CUSTOM, new Value.Int(1))));
          }
          return last;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (Future<ManagedObject> each : List.of(threads.submit(adds), threads.submit(adds))) {
        assertThat(each.get().attributes().get(CUSTOM)).hasSizeBetween(50, 100);
      }
    }

    List<Integer> indices = new ArrayList<>();
    store.require("alice", id).attributes().get(CUSTOM).forEach(each -> indices.add(each.index()));
    assertThat(indices).hasSize(100).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void whatAChangeThrowsLeavesEverything() {
    UUID id = inserted(SampleObjects.key("alice", Attributes.NONE)).id();

    assertThatIllegalStateException()
        .isThrownBy(() ->
            store.change(
                "Activate",
                "alice",
                id,
                object -> {
                  throw new IllegalStateException("refused");
                }))
        .withMessage("refused");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            store.change(
                "Rekey",
                "alice",
                id,
                o ->
                    new ManagedObject(
                        o.id(),
                        o.owner(),
                        o.type(),
                        o.state(),
                        o.attributes(),
                        new Material.Wrapped("managed-1", new byte[] {7}, null))));

    assertThat(store.require("alice", id).state()).isEqualTo(State.PRE_ACTIVE);
    assertThat(dataSource.getHikariPoolMXBean().getActiveConnections()).isZero();
  }

  @Test
  void destructionEmptiesTheRowAndKeepsIt() throws SQLException {
    UUID id = inserted(SampleObjects.key("alice", Attributes.NONE.add(NAME, name("a")))).id();

    ManagedObject destroyed = store.change("Destroy", "alice", id, ManagedObject::destroyed);

    assertThat(destroyed.material()).isNull();
    assertThat(store.require("alice", id)).usingRecursiveComparison().isEqualTo(destroyed);
    assertThat(sql.count(COUNT + " WHERE material IS NULL AND state = 5")).isOne();
  }

  @Test
  void ifWhatIsWrittenBesideFailsNothingIsKept() throws SQLException {
    ManagedObject key = SampleObjects.key("alice", Attributes.NONE);

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() ->
            store.insert(
                "Create",
                List.of(key),
                connection -> {
                  throw new SQLException("the keys are another's by now");
                }))
        .withMessageContaining("another's by now");
    assertThatIllegalStateException()
        .isThrownBy(() ->
            store.insert(
                "Create",
                List.of(key),
                connection -> {
                  throw new IllegalStateException();
                }));
    assertThat(sql.count(COUNT)).isZero();

    inserted(key);
    assertThatExceptionOfType(StoreException.class)
        .as("an id that is taken, after one that is not")
        .isThrownBy(() ->
            store.insert(
                "Create",
                List.of(SampleObjects.key("alice", Attributes.NONE), key),
                InTransaction.NOTHING));
    assertThat(sql.count(COUNT)).isOne();
  }

  @Test
  void whatIsWrittenBesideIsCommittedWithIt() throws SQLException {
    store.insert(
        "Create",
        List.of(SampleObjects.key("alice", Attributes.NONE)),
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO log_pending (entry) SELECT 'seen' FROM managed_object");
          }
        });

    assertThat(sql.count(COUNT)).isOne();
    assertThat(sql.count("SELECT count(*) FROM log_pending")).as("sees the object").isOne();
  }
}
