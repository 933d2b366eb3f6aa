package org.keywell.kmip.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.kmip.object.SampleObjects.NAME;
import static org.keywell.kmip.object.SampleObjects.name;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.SampleObjects;
import org.keywell.kmip.ttlv.Value;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

/** Names are unique among an owner's objects, and free for every other owner. */
@Tag("postgresql")
@Timeout(60)
final class UniqueNamesTest {

  private static final int AT_ONCE = 8;

  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource dataSource = database.asService().dataSource();
  private final ObjectStore store = new ObjectStore(dataSource, "one");

  @AfterEach
  void close() {
    assertThat(dataSource.getHikariPoolMXBean().getActiveConnections()).isZero();
    dataSource.close();
  }

  private static ManagedObject key(String owner, String... names) {
    Attributes attributes = Attributes.NONE;
    for (String each : names) {
      attributes = attributes.add(NAME, name(each));
    }
    return SampleObjects.key(owner, attributes);
  }

  private UUID insert(ManagedObject... objects) {
    store.insert("Create", List.of(objects), InTransaction.NOTHING);
    return objects[0].id();
  }

  private void named(String owner, UUID id, String name) {
    ManagedObject _ =
        store.change("Add Attribute", owner, id, o -> o.with(o.attributes().add(NAME, name(name))));
  }

  private List<UUID> located(String owner, String name) {
    var condition = new AttributeValue(NAME, null, name(name));
    return store.locate(owner, LocateQuery.of(List.of(condition), 0, 100));
  }

  private static void refused(ThrowingCallable call) {
    assertThatExceptionOfType(KmipException.class)
        .isThrownBy(call)
        .matches(e -> e.reason().equals("NonUniqueNameAttribute"), "of the names");
  }

  @Test
  void eachOwnerHasTheNameOnce() {
    UUID hers = insert(key("alice", "disk-1"));
    UUID his = insert(key("bob", "disk-1"));

    assertThat(located("alice", "disk-1")).containsExactly(hers);
    assertThat(located("bob", "disk-1")).containsExactly(his);
    refused(() -> insert(key("alice", "disk-2", "disk-1")));
    assertThat(located("alice", "disk-2")).as("written before it was refused").isEmpty();
    UUID other = insert(key("alice", "disk-3"));
    refused(() -> named("alice", other, "disk-1"));
    assertThat(located("alice", "disk-1")).containsExactly(hers);
  }

  @Test
  void namesOfOtherTypesAreOthers() {
    Value uri =
        new Value.Structure(
            List.of(
                org.keywell.kmip.table.Tag.named("NameValue").item(new Value.Text("disk-1")),
                org.keywell.kmip.table.Tag.named("NameType").item("URI")));
    UUID text = insert(key("alice", "disk-1"));
    UUID _ = insert(SampleObjects.key("alice", Attributes.NONE.add(NAME, uri)));

    assertThat(located("alice", "disk-1")).containsExactly(text);
  }

  @Test
  void aNameIsFreeOnceItsObjectIsDestroyedOrHasAnother() {
    UUID first = insert(key("alice", "disk-1"));
    ManagedObject _ = store.change("Destroy", "alice", first, ManagedObject::destroyed);
    UUID second = insert(key("alice", "disk-1"));
    ManagedObject _ =
        store.change(
            "Modify Attribute",
            "alice",
            second,
            o -> o.with(o.attributes().modify(NAME, 0, name("disk-2"))));
    UUID third = insert(key("alice", "disk-1"));

    assertThat(located("alice", "disk-1")).containsExactlyInAnyOrder(first, third);
    named("alice", first, "disk-2");
  }

  @Test
  void halvesOfAPairMayShareOne() {
    insert(key("alice", "pair"), key("alice", "pair"));

    assertThat(located("alice", "pair")).hasSize(2);
    refused(() -> insert(key("alice", "pair")));
  }

  @Test
  void whatSharedANameBeforeIsFoundAndChanged() throws SQLException {
    UUID one = insert(key("alice", "old"));
    UUID other = insert(key("alice", "later"));
    try (HikariDataSource owner = database.dataSource()) {
      assertThat(
              new Sql(owner)
                  .update(
                      "UPDATE managed_object m SET attributes = o.attributes, search = o.search"
                          + " FROM managed_object o WHERE o.id = '%s' AND m.id = '%s'"
                              .formatted(one, other)))
          .isEqualTo(1);
    }

    assertThat(located("alice", "old")).containsExactlyInAnyOrder(one, other);
    named("alice", other, "new");
    refused(() -> insert(key("alice", "old")));
  }

  @Test
  void ofSeveralAtOnceOneGetsIt() throws Exception {
    UUID existing = insert(key("alice", "other"));
    for (int round = 0; round < 10; round++) {
      String name = "contended " + round;
      CyclicBarrier start = new CyclicBarrier(AT_ONCE);
      Callable<String> creates = () -> end(start, () -> insert(key("alice", name)));
      Callable<String> renames = () -> end(start, () -> named("alice", existing, name));
      List<String> ends = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
        Collection<Callable<String>> all = new ArrayList<>(List.of(renames));
        Stream.generate(() -> creates).limit(AT_ONCE - 1).forEach(all::add);
        for (Future<String> each : threads.invokeAll(all)) {
          ends.add(each.get());
        }
      }
      assertThat(ends).containsOnlyOnce("written").contains("NonUniqueNameAttribute");
      assertThat(located("alice", name)).hasSize(1);
    }
  }

  private static String end(CyclicBarrier start, Runnable writes) throws Exception {
    start.await();
    try {
      writes.run();
      return "written";
    } catch (KmipException e) {
      return e.reason();
    }
  }
}
