package org.keywell.kmip.operation;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.AttributeForm;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Get Attributes} and {@code Get Attribute List}. */
record ReadAttributes(Custody custody) {

  /** Returns those that are asked for and are there; all if none is named. */
  List<Item> get(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    boolean two = call.version().isAtLeast(ProtocolVersion.V2_0);
    AttributeForm form = new AttributeForm(call.version());
    Set<AttributeName> wanted =
        fields.repeated(two ? "AttributeReference" : "AttributeName", Value.class).stream()
            .map(form::readName)
            .collect(Collectors.toSet());
    ManagedObject object = object(call, fields);
    List<Item> attributes =
        form.visible(object).stream()
            .filter(each -> wanted.isEmpty() || wanted.contains(each.name()))
            .map(form::write)
            .toList();
    FieldsBuilder answer = Identifiers.answer(object);
    return two
        ? answer.add(Tag.named("Attributes").item(attributes)).items()
        : answer.addAll(attributes).items();
  }

  /** Returns the names of all that are there. */
  List<Item> list(OperationCall<KmipCaller> call) {
    ManagedObject object = object(call, call.fields());
    AttributeForm form = new AttributeForm(call.version());
    FieldsBuilder answer = Identifiers.answer(object);
    form.visible(object).stream()
        .map(AttributeValue::name)
        .distinct()
        .forEach(name -> answer.add(form.writeName(name)));
    return answer.items();
  }

  private ManagedObject object(OperationCall<KmipCaller> call, Fields fields) {
    UUID id = Identifiers.take(call, fields);
    fields.end();
    return custody.read(call.caller(), id);
  }
}
