package org.keywell.kmip.operation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.AttributeForm;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.State;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Finds a caller's objects by their attributes, the newest first. */
final class Locate implements OperationHandler<KmipCaller> {

  private static final Tag MAXIMUM_ITEMS = Tag.named("MaximumItems");
  private static final Tag OFFSET_ITEMS = Tag.named("OffsetItems");
  private static final Tag LOCATED_ITEMS = Tag.named("LocatedItems");
  private static final Tag STORAGE = Tag.named("StorageStatusMask");
  private static final Tag GROUP_MEMBER = Tag.named("ObjectGroupMember");
  private static final Tag ATTRIBUTE = Tag.named("Attribute");
  private static final Tag ATTRIBUTES = Tag.named("Attributes");

  private static final int ONLINE = Enumerations.named("StorageStatusMask", "OnLineStorage").bits();
  private static final int DESTROYED =
      Enumerations.named("StorageStatusMask", "DestroyedStorage").bits();

  /** More than that fit into no response. */
  private static final int MOST = 10_000;

  private final Custody custody;

  Locate(Custody custody) {
    this.custody = custody;
  }

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    int most = number(fields.optional(MAXIMUM_ITEMS, Value.Int.class), MOST);
    boolean counts = LOCATED_ITEMS.span().includes(call.version());
    int offset = counts ? number(fields.optional(OFFSET_ITEMS, Value.Int.class), 0) : 0;
    Value.@Nullable Int storage = fields.optional(STORAGE, Value.Int.class);
    if (GROUP_MEMBER.span().includes(call.version())
        && fields.optional(GROUP_MEMBER, Value.Enumerated.class) != null) {
      throw new KmipException(
          ResultReason.FEATURE_NOT_SUPPORTED, "groups have no fresh or default members");
    }
    LocateQuery query =
        stored(
            LocateQuery.of(conditions(call, fields), offset, Math.min(most, MOST)),
            storage == null ? ONLINE : storage.value());
    fields.end();
    List<UUID> found =
        query.states().isEmpty()
            ? List.of()
            : custody.objects().locate(call.caller().name(), query);
    call.batch().setIdPlaceholder(found.size() == 1 ? found.getFirst().toString() : null);
    List<Item> answer = new ArrayList<>();
    if (counts) {
      answer.add(LOCATED_ITEMS.item(new Value.Int(found.size())));
    }
    found.forEach(id -> answer.add(Identifiers.item(id)));
    return answer;
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

  private static int number(Value.@Nullable Int value, int otherwise) {
    if (value != null && value.value() < 0) {
      throw new KmipException(ResultReason.INVALID_FIELD, "a number of items is negative");
    }
    return value == null ? otherwise : value.value();
  }

  private static List<AttributeValue> conditions(OperationCall<?> call, Fields fields) {
    AttributeForm form = new AttributeForm(call.version());
    List<Item> items = new ArrayList<>();
    if (call.version().isAtLeast(ProtocolVersion.V2_0)) {
      Value.@Nullable Structure around = fields.optional(ATTRIBUTES, Value.Structure.class);
      items.addAll(around == null ? List.of() : around.items());
    } else {
      fields.repeated(ATTRIBUTE, Value.Structure.class).stream()
          .map(ATTRIBUTE::item)
          .forEach(items::add);
    }
    return items.stream().map(form::read).toList();
  }
}
