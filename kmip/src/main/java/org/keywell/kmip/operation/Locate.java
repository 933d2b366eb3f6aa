package org.keywell.kmip.operation;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.AttributeForm;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.State;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Finds a caller's objects by their attributes, the newest first. */
record Locate(Custody custody) implements OperationHandler<KmipCaller> {

  private static final int ONLINE = Enumerations.named("StorageStatusMask", "OnLineStorage").bits();
  private static final int DESTROYED =
      Enumerations.named("StorageStatusMask", "DestroyedStorage").bits();

  /** More than that fit into no response. */
  private static final int MOST = 10_000;

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    int most = fields.number("MaximumItems", MOST);
    int offset = fields.number("OffsetItems", 0);
    if (most < 0 || offset < 0) {
      throw new KmipException("InvalidField", "a number of items is negative");
    }
    int storage = fields.number("StorageStatusMask", ONLINE);
    if (fields.optional("ObjectGroupMember", Value.Enumerated.class) != null) {
      throw new KmipException("FeatureNotSupported", "groups have no fresh or default members");
    }
    LocateQuery all = LocateQuery.of(conditions(call, fields), offset, Math.min(most, MOST));
    LocateQuery query = stored(all, storage);
    fields.end();
    List<UUID> found =
        query.states().isEmpty()
            ? List.of()
            : custody.objects().locate(call.caller().name(), query);
    call.batch().setIdPlaceholder(found.size() == 1 ? found.getFirst().toString() : null);
    FieldsBuilder answer = new FieldsBuilder();
    if (Tag.named("LocatedItems").span().includes(call.version())) {
      answer.integer("LocatedItems", found.size());
    }
    found.forEach(id -> answer.id("UniqueIdentifier", id));
    return answer.items();
  }

  /** Destroyed objects are found only if they are asked for; nothing is archived. */
  private static LocateQuery stored(LocateQuery query, int mask) {
    if (!query.states().isEmpty()) {
      return query;
    }
    Set<State> states = EnumSet.allOf(State.class);
    states.removeIf(state -> (mask & (state.isDestroyed() ? DESTROYED : ONLINE)) == 0);
    return new LocateQuery(
        query.type(), states, query.values(), query.dates(), query.offset(), query.limit());
  }

  private static List<AttributeValue> conditions(OperationCall<?> call, Fields fields) {
    AttributeForm form = new AttributeForm(call.version());
    if (call.version().isAtLeast(ProtocolVersion.V2_0)) {
      Value.@Nullable Structure around = fields.optional("Attributes", Value.Structure.class);
      return around == null ? List.of() : around.items().stream().map(form::read).toList();
    }
    return fields.repeated("Attribute", Value.Structure.class).stream()
        .map(each -> form.read(Tag.named("Attribute").item(each)))
        .toList();
  }
}
