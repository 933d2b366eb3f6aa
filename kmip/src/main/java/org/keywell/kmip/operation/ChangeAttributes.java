package org.keywell.kmip.operation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.AttributeForm;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.AttributeRules;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Add}, {@code Modify}, {@code Set} and {@code Delete Attribute}. */
record ChangeAttributes(Custody custody) {

  List<Item> add(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    AttributeValue added = value(call, fields);
    ManagedObject object =
        custody.change(
            "Add Attribute",
            call,
            before -> {
              checkAdd(before, added.name(), call.version());
              AttributeRules.checkChange(added.name(), added.value(), before);
              return checked(before.with(before.attributes().add(added.name(), added.value())));
            });
    return answer(call, object, object.attributes().get(added.name()).getLast());
  }

  List<Item> modify(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    @Nullable AttributeValue current = current(call, fields);
    AttributeValue changed = value(call, fields);
    if (current != null && !current.name().equals(changed.name())) {
      throw new KmipException(
          "InvalidField", "CurrentAttribute and NewAttribute are different attributes");
    }
    ManagedObject object =
        custody.change(
            "Modify Attribute",
            call,
            before -> {
              AttributeRules.checkModify(changed.name(), before, custody.now());
              AttributeRules.checkChange(changed.name(), changed.value(), before);
              Attributes attributes = before.attributes();
              @Nullable Integer index =
                  current == null
                      ? changed.index()
                      : attributes.find(current.name(), current.value());
              return checked(
                  before.with(attributes.modify(changed.name(), index, changed.value())));
            });
    return answer(call, object, changed);
  }

  /** Since 2.0, for attributes with one value: adds or modifies. Clients' own get it alone. */
  List<Item> set(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    AttributeValue changed = value(call, fields);
    if (changed.name() instanceof AttributeName.Standard) {
      Attributes.requireSingle(changed.name());
    }
    ManagedObject object =
        custody.change(
            "Set Attribute",
            call,
            before -> {
              if (before.attributes().first(changed.name()) == null) {
                checkAdd(before, changed.name(), call.version());
              } else {
                AttributeRules.checkModify(changed.name(), before, custody.now());
              }
              AttributeRules.checkChange(changed.name(), changed.value(), before);
              return checked(before.with(before.attributes().put(changed.name(), changed.value())));
            });
    return answer(call, object, changed);
  }

  List<Item> delete(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    @Nullable AttributeValue current = current(call, fields);
    String tag = isTwo(call) ? "AttributeReference" : "AttributeName";
    AttributeName name =
        current == null
            ? new AttributeForm(call.version()).readName(fields.required(tag, Value.class))
            : current.name();
    @Nullable Integer index = isTwo(call) ? null : (Integer) fields.number("AttributeIndex", 0);
    List<AttributeValue> deleted = new ArrayList<>();
    ManagedObject object =
        custody.change(
            "Delete Attribute",
            call,
            before -> {
              AttributeRules.checkDelete(name, before, custody.now());
              Attributes attributes = before.attributes();
              @Nullable Integer found =
                  current == null ? index : attributes.find(name, current.value());
              Attributes left =
                  current == null && index == null
                      ? attributes.deleteAll(name)
                      : attributes.delete(name, found);
              deleted.addAll(attributes.get(name));
              deleted.removeAll(left.get(name));
              return before.with(left);
            });
    return answer(call, object, deleted.getFirst());
  }

  private static ManagedObject checked(ManagedObject after) {
    AttributeRules.checkTrue(after.type(), after.attributes());
    return after;
  }

  private void checkAdd(ManagedObject object, AttributeName name, ProtocolVersion version) {
    AttributeRules.checkAdd(name, object, custody.now());
    AttributeRules.checkApplies(name, object.type(), version);
  }

  /** Takes the value that is to be changed, as 2.x names it. */
  private static @Nullable AttributeValue current(OperationCall<?> call, Fields fields) {
    Value.@Nullable Structure given =
        isTwo(call) ? fields.optional("CurrentAttribute", Value.Structure.class) : null;
    return given == null ? null : only(call, given);
  }

  private static AttributeValue value(OperationCall<?> call, Fields fields) {
    if (isTwo(call)) {
      return only(call, fields.required("NewAttribute", Value.Structure.class));
    }
    var attribute = fields.required("Attribute", Value.Structure.class);
    return new AttributeForm(call.version()).read(Tag.named("Attribute").item(attribute));
  }

  private static AttributeValue only(OperationCall<?> call, Value.Structure around) {
    if (around.items().size() != 1) {
      throw new KmipException("InvalidMessage", "expected one attribute");
    }
    return new AttributeForm(call.version()).read(around.items().getFirst());
  }

  private static boolean isTwo(OperationCall<?> call) {
    return call.version().isAtLeast(ProtocolVersion.V2_0);
  }

  private static List<Item> answer(
      OperationCall<?> call, ManagedObject object, AttributeValue attribute) {
    FieldsBuilder answer = Identifiers.answer(object);
    if (!isTwo(call)) {
      answer.add(new AttributeForm(call.version()).write(attribute));
    }
    return answer.items();
  }
}
