package org.keywell.kmip.operation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.AttributeForm;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.AttributeRules;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Add}, {@code Modify}, {@code Set} and {@code Delete Attribute}. */
final class ChangeAttributes {

  private static final Tag ATTRIBUTE = Tag.named("Attribute");
  private static final Tag NAME = Tag.named("AttributeName");
  private static final Tag INDEX = Tag.named("AttributeIndex");
  private static final Tag NEW = Tag.named("NewAttribute");
  private static final Tag CURRENT = Tag.named("CurrentAttribute");
  private static final Tag REFERENCE = Tag.named("AttributeReference");

  private final Custody custody;

  ChangeAttributes(Custody custody) {
    this.custody = custody;
  }

  List<Item> add(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    AttributeValue added = value(call, fields, NEW);
    ManagedObject object =
        custody.change(
            "Add Attribute",
            call,
            fields,
            before -> {
              checkAdd(before, added.name(), call.version());
              return before.with(before.attributes().add(added.name(), added.value()));
            });
    return answer(call, object, object.attributes().get(added.name()).getLast());
  }

  List<Item> modify(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    @Nullable AttributeValue current = current(call, fields);
    AttributeValue changed = value(call, fields, NEW);
    if (current != null && !current.name().equals(changed.name())) {
      throw new KmipException(
          ResultReason.INVALID_FIELD, "%s and %s are different attributes".formatted(CURRENT, NEW));
    }
    ManagedObject object =
        custody.change(
            "Modify Attribute",
            call,
            fields,
            before -> {
              AttributeRules.checkModify(changed.name(), before, custody.clock().instant());
              Attributes attributes = before.attributes();
              @Nullable Integer index =
                  current == null
                      ? changed.index()
                      : attributes.find(current.name(), current.value());
              return before.with(attributes.modify(changed.name(), index, changed.value()));
            });
    return answer(call, object, changed);
  }

  /** Since 2.0, for attributes with one value: adds or modifies. */
  List<Item> set(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    AttributeValue changed = value(call, fields, NEW);
    if (changed.name() instanceof AttributeName.Standard(Attribute attribute)
        && attribute.multiple()) {
      throw new KmipException(
          ResultReason.named("MultiValuedAttribute"), attribute + " may have several values");
    }
    ManagedObject object =
        custody.change(
            "Set Attribute",
            call,
            fields,
            before -> {
              if (before.attributes().first(changed.name()) == null) {
                checkAdd(before, changed.name(), call.version());
              } else {
                AttributeRules.checkModify(changed.name(), before, custody.clock().instant());
              }
              return before.with(before.attributes().set(changed.name(), changed.value()));
            });
    return answer(call, object, changed);
  }

  List<Item> delete(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    AttributeForm form = new AttributeForm(call.version());
    @Nullable AttributeValue current = current(call, fields);
    AttributeName name;
    @Nullable Integer index = null;
    if (!isTwo(call)) {
      name = form.readName(fields.required(NAME, Value.Text.class));
      Value.@Nullable Int given = fields.optional(INDEX, Value.Int.class);
      index = given == null ? 0 : (Integer) given.value();
    } else if (current == null) {
      name = form.readName(fields.required(REFERENCE, Value.class));
    } else {
      name = current.name();
    }
    @Nullable Value value = current == null ? null : current.value();
    Deletion deletion = new Deletion(name, isTwo(call) && current == null, index, value);
    Instant now = custody.clock().instant();
    List<AttributeValue> deleted = new ArrayList<>();
    ManagedObject object =
        custody.change(
            "Delete Attribute", call, fields, before -> deletion.of(before, deleted, now));
    return answer(call, object, deleted.getFirst());
  }

  /**
   * What is to be deleted.
   *
   * @param all whether all values of that name
   * @param value null: the one with the index
   */
  private record Deletion(
      AttributeName name, boolean all, @Nullable Integer index, @Nullable Value value) {

    ManagedObject of(ManagedObject before, List<AttributeValue> deleted, Instant now) {
      AttributeRules.checkDelete(name, before, now);
      Attributes attributes = before.attributes();
      Attributes left =
          all
              ? attributes.deleteAll(name)
              : attributes.delete(name, value == null ? index : attributes.find(name, value));
      deleted.addAll(attributes.get(name));
      deleted.removeAll(left.get(name));
      return before.with(left);
    }
  }

  private void checkAdd(ManagedObject object, AttributeName name, ProtocolVersion version) {
    AttributeRules.checkAdd(name, object, custody.clock().instant());
    if (name instanceof AttributeName.Standard(Attribute attribute)
        && !attribute.appliesTo(object.type().label(), version)) {
      throw new KmipException(
          ResultReason.named("InvalidAttribute"),
          "%s has no %s".formatted(object.type().label(), name));
    }
  }

  /** Takes the value that is to be changed, as 2.x names it. */
  private static @Nullable AttributeValue current(OperationCall<?> call, Fields fields) {
    Value.@Nullable Structure given =
        isTwo(call) ? fields.optional(CURRENT, Value.Structure.class) : null;
    return given == null ? null : only(call, given);
  }

  private static AttributeValue value(OperationCall<?> call, Fields fields, Tag tagOf2) {
    if (isTwo(call)) {
      return only(call, fields.required(tagOf2, Value.Structure.class));
    }
    return new AttributeForm(call.version())
        .read(ATTRIBUTE.item(fields.required(ATTRIBUTE, Value.Structure.class)));
  }

  private static AttributeValue only(OperationCall<?> call, Value.Structure around) {
    if (around.items().size() != 1) {
      throw new KmipException(ResultReason.INVALID_MESSAGE, "expected one attribute");
    }
    return new AttributeForm(call.version()).read(around.items().getFirst());
  }

  private static boolean isTwo(OperationCall<?> call) {
    return call.version().isAtLeast(ProtocolVersion.V2_0);
  }

  private static List<Item> answer(
      OperationCall<?> call, ManagedObject object, AttributeValue attribute) {
    Item id = Identifiers.item(object.id());
    return isTwo(call)
        ? List.of(id)
        : List.of(id, new AttributeForm(call.version()).write(attribute));
  }
}
