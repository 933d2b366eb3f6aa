package org.keywell.service.kmip;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.State;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.store.ObjectStore;
import org.keywell.kmip.ttlv.Value;
import org.keywell.service.FreshDatabase;

/** What operations on managed objects read while PostgreSQL takes their table for nearly empty. */
@Tag("postgresql")
@Timeout(120)
final class FreshObjectsTest {

  private static final int OWNERS = 20;
  private static final int REQUESTS = 1_000;

  /** A name is looked for when it is given, when it changes, and when a client asks for it. */
  private static final int ROWS_PER_REQUEST = 20;

  private static final AttributeName NAME = Attributes.named("Name");

  private final FreshDatabase database = new FreshDatabase();

  FreshObjectsTest() throws SQLException {}

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void noRequestReadsTheWholeTableInANewDatabase() throws Exception {
    try (HikariDataSource connections = database.ofService()) {
      ObjectStore store = new ObjectStore(connections, "fresh");
      requests(store, 0, OWNERS);
      database.rows().begin();
      requests(store, OWNERS, REQUESTS);
    }
    assertThat(database.above(ROWS_PER_REQUEST, REQUESTS)).as("rows per request").isEmpty();
  }

  /** All owners use the same names. */
  private static void requests(ObjectStore store, int first, int count) {
    for (int i = first; i < first + count; i++) {
      String owner = "owner " + i % OWNERS;
      AttributeValue name = name("disk-" + i / OWNERS);
      UUID id = UUID.randomUUID();
      List<ManagedObject> key = new ArrayList<>();
      key.add(
          new ManagedObject(
              id,
              owner,
              ObjectType.SYMMETRIC_KEY,
              State.PRE_ACTIVE,
              Attributes.NONE
                  .add(NAME, name.value())
                  .set("Initial Date", new Value.DateTime(1_700_000_000L + i)),
              new Material.Wrapped("managed-1", new byte[40], null)));
      store.insert("Create", key, InTransaction.NOTHING);
      assertThat(located(store, owner, name)).containsExactly(id);
      assertThat(store.use("Get", owner, id).id()).isEqualTo(id);
      ManagedObject _ = store.change("Activate", owner, id, object -> object.in(State.ACTIVE));
      AttributeValue other = name("renamed-" + i / OWNERS);
      ManagedObject _ =
          store.change(
              "Modify Attribute",
              owner,
              id,
              object -> object.with(object.attributes().modify(NAME, 0, other.value())));
      assertThat(located(store, owner, name)).isEmpty();
      assertThat(located(store, owner, other)).containsExactly(id);
    }
  }

  private static List<UUID> located(ObjectStore store, String owner, AttributeValue name) {
    return store.locate(owner, LocateQuery.of(List.of(name), 0, 10));
  }

  private static AttributeValue name(String text) {
    return new AttributeValue(
        NAME,
        null,
        new Value.Structure(
            List.of(
                org.keywell.kmip.table.Tag.named("NameValue").item(new Value.Text(text)),
                org.keywell.kmip.table.Tag.named("NameType").item("UninterpretedTextString"))));
  }
}
