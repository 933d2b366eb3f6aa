package org.keywell.kmip.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.kmip.object.SampleObjects.CUSTOM;
import static org.keywell.kmip.object.SampleObjects.INITIAL_DATE;
import static org.keywell.kmip.object.SampleObjects.LENGTH;
import static org.keywell.kmip.object.SampleObjects.NAME;
import static org.keywell.kmip.object.SampleObjects.name;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.SampleObjects;
import org.keywell.kmip.object.State;
import org.keywell.kmip.ttlv.Value;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

/** Ten keys of alice, k0 to k9; even ones are large, and each third is active. */
@Tag("postgresql")
@Timeout(60)
final class LocateTest {

  private static final long FIRST = 1_700_000_000;
  private static final AttributeName GROUP = Attributes.named("Object Group");
  private static final Value ALL = new Value.Text("all");

  private final Database database = PostgresForTests.newDatabase();
  private final HikariDataSource dataSource = database.asService().dataSource();
  private final ObjectStore store = new ObjectStore(dataSource, "one");
  private final List<UUID> keys = new ArrayList<>();

  @BeforeEach
  void insert() {
    for (int i = 0; i < 10; i++) {
      ManagedObject key =
          SampleObjects.key(
              "alice",
              Attributes.NONE
                  .add(NAME, name("k" + i))
                  .add(GROUP, ALL)
                  .add(LENGTH, new Value.Int(i % 2 == 0 ? 256 : 128))
                  .add(CUSTOM, new Value.Int(i % 5))
                  .add(INITIAL_DATE, new Value.DateTime(FIRST + i / 2)));
      keys.add(key.id());
      store.insert(
          "Create", List.of(i % 3 == 0 ? key.in(State.ACTIVE) : key), InTransaction.NOTHING);
    }
    store.insert(
        "Create",
        List.of(SampleObjects.key("bob", Attributes.NONE.add(NAME, name("k1")))),
        InTransaction.NOTHING);
  }

  @AfterEach
  void close() {
    dataSource.close();
  }

  @Test
  void theNewestComeFirst() {
    assertThat(located()).isEqualTo("9 8 7 6 5 4 3 2 1 0");
  }

  @Test
  void eachConditionNarrows() {
    assertThat(located(is(NAME, name("k1")))).isEqualTo("1");
    assertThat(located(is(NAME, name("K1")))).isEmpty();
    assertThat(located(is(LENGTH, new Value.Int(256)))).isEqualTo("8 6 4 2 0");
    assertThat(located(is(CUSTOM, new Value.Int(3)))).isEqualTo("8 3");
    assertThat(located(is(Attributes.STATE, State.ACTIVE.attribute()))).isEqualTo("9 6 3 0");
    assertThat(located(is(Attributes.OBJECT_TYPE, ObjectType.PRIVATE_KEY.attribute()))).isEmpty();
    assertThat(located(is(Attributes.UNIQUE_IDENTIFIER, new Value.Text(keys.get(4).toString()))))
        .isEqualTo("4");
    assertThat(
            located(
                is(Attributes.OBJECT_TYPE, ObjectType.SYMMETRIC_KEY.attribute()),
                is(Attributes.STATE, State.ACTIVE.attribute()),
                is(GROUP, ALL),
                is(LENGTH, new Value.Int(256)),
                is(CUSTOM, new Value.Int(1))))
        .isEqualTo("6");
    assertThat(located(is(NAME, name("k1")), is(GROUP, ALL))).isEqualTo("1");
    assertThat(located(is(NAME, name("k1")), is(NAME, name("k2")))).isEmpty();
  }

  @Test
  void datesAreExactOrARange() {
    assertThat(located(date(FIRST + 1))).isEqualTo("3 2");
    assertThat(located(date(FIRST + 1), date(FIRST + 2))).isEqualTo("5 4 3 2");
    assertThat(located(date(Long.MIN_VALUE), date(FIRST))).isEqualTo("1 0");
    assertThat(located(date(FIRST + 4), date(Long.MAX_VALUE))).isEqualTo("9 8");
    assertThat(located(date(0))).isEmpty();
  }

  @Test
  void datesBeyondThoseOfTheDatabaseAreFoundToo() {
    ManagedObject far =
        SampleObjects.key("carol", Attributes.NONE.add(INITIAL_DATE, new Value.DateTime(-5)));
    store.insert("Register", List.of(far), InTransaction.NOTHING);

    assertThat(store.locate("carol", query(0, 9, date(-5)))).containsExactly(far.id());
    assertThat(store.locate("carol", query(0, 9, date(-6)))).isEmpty();
    assertThat(store.locate("carol", query(0, 9, date(0)))).isEmpty();
  }

  @Test
  void pagesFollowEachOther() {
    AttributeValue large = is(LENGTH, new Value.Int(256));
    assertThat(numbers(store.locate("alice", query(0, 2, large)))).isEqualTo("8 6");
    assertThat(numbers(store.locate("alice", query(2, 2, large)))).isEqualTo("4 2");
    assertThat(numbers(store.locate("alice", query(4, 2, large)))).isEqualTo("0");
    assertThat(store.locate("alice", query(5, 2, large))).isEmpty();
    assertThat(store.locate("alice", query(0, 0, large))).isEmpty();
  }

  @Test
  void whatWasChangedIsFoundByItsNewValues() {
    store.change(
        "ModifyAttribute",
        "alice",
        keys.get(1),
        o -> o.with(o.attributes().modify(NAME, 0, name("other"))));

    assertThat(located(is(NAME, name("k1")))).isEmpty();
    assertThat(located(is(NAME, name("other")))).isEqualTo("1");
  }

  @Test
  void aHashIsOnlyAHint() throws SQLException {
    Long[] terms = SearchTerms.of(List.of(is(NAME, name("k1"))));
    try (HikariDataSource owner = database.dataSource()) {
      new Sql(owner)
          .update(
              "UPDATE managed_object SET search = search || %d::bigint WHERE id = '%s'"
                  .formatted(terms[0], keys.get(7)));
      assertThat(
              new Sql(owner)
                  .count(
                      "SELECT count(*) FROM managed_object WHERE owner = 'alice' AND search @> ARRAY[%d::bigint]"
                          .formatted(terms[0])))
          .isEqualTo(2);
    }

    assertThat(located(is(NAME, name("k1")))).isEqualTo("1");
  }

  @Test
  void aSearchThatLooksAtTooManyGivesUp() {
    ObjectStore five = new ObjectStore(dataSource, "one", 5);
    AttributeValue small = is(LENGTH, new Value.Int(128));

    assertThat(numbers(five.locate("alice", query(0, 3, small)))).isEqualTo("9 7 5");
    assertThatExceptionOfType(KmipException.class)
        .isThrownBy(() -> five.locate("alice", query(0, 4, small)))
        .withMessageContaining("more than 5 objects");
    assertThat(numbers(five.locate("alice", query(0, 4, is(NAME, name("k1"))))))
        .as("one is looked at")
        .isEqualTo("1");
    assertThat(dataSource.getHikariPoolMXBean().getActiveConnections()).isZero();
  }

  @Test
  void rowsArriveInBatches() {
    List<ManagedObject> many =
        IntStream.range(0, 1_201)
            .mapToObj(i -> SampleObjects.key("dave", Attributes.NONE))
            .toList();
    store.insert("Create", many, InTransaction.NOTHING);

    assertThat(store.locate("dave", query(0, 5_000)))
        .containsExactlyElementsOf(many.reversed().stream().map(ManagedObject::id).toList());
  }

  private String located(AttributeValue... conditions) {
    return numbers(store.locate("alice", query(0, 100, conditions)));
  }

  private static LocateQuery query(int offset, int limit, AttributeValue... conditions) {
    return LocateQuery.of(Stream.of(conditions).toList(), offset, limit);
  }

  private String numbers(List<UUID> ids) {
    return ids.stream().map(id -> "" + keys.indexOf(id)).collect(Collectors.joining(" "));
  }

  private static AttributeValue date(long seconds) {
    return is(INITIAL_DATE, new Value.DateTime(seconds));
  }

  private static AttributeValue is(AttributeName name, Value value) {
    return new AttributeValue(name, null, value);
  }
}
