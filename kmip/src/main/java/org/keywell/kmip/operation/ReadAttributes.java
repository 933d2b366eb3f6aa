package org.keywell.kmip.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.keywell.kmip.message.AttributeForm;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Get Attributes} and {@code Get Attribute List}. */
final class ReadAttributes {

  private static final Tag NAME = Tag.named("AttributeName");
  private static final Tag REFERENCE = Tag.named("AttributeReference");
  private static final Tag ATTRIBUTES = Tag.named("Attributes");

  private final Custody custody;

  ReadAttributes(Custody custody) {
    this.custody = custody;
  }

  /** Returns those that are asked for and are there; all if none is named. */
  List<Item> get(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    boolean two = call.version().isAtLeast(ProtocolVersion.V2_0);
    AttributeForm form = new AttributeForm(call.version());
    Set<AttributeName> wanted =
        fields.repeated(two ? REFERENCE : NAME, Value.class).stream()
            .map(form::readName)
            .collect(Collectors.toSet());
    ManagedObject object = object(call, fields);
    List<Item> attributes =
        Visible.of(object, call.version()).stream()
            .filter(each -> wanted.isEmpty() || wanted.contains(each.name()))
            .map(form::write)
            .toList();
    List<Item> answer = new ArrayList<>();
    answer.add(Identifiers.item(object.id()));
    if (two) {
      answer.add(ATTRIBUTES.item(attributes));
    } else {
      answer.addAll(attributes);
    }
    return answer;
  }

  /** Returns the names of all that are there. */
  List<Item> list(OperationCall<KmipCaller> call) {
    ManagedObject object = object(call, call.fields());
    AttributeForm form = new AttributeForm(call.version());
    List<Item> answer = new ArrayList<>();
    answer.add(Identifiers.item(object.id()));
    Visible.of(object, call.version()).stream()
        .map(AttributeValue::name)
        .distinct()
        .map(form::writeName)
        .forEach(answer::add);
    return answer;
  }

  private ManagedObject object(OperationCall<KmipCaller> call, Fields fields) {
    UUID id = Identifiers.take(call, fields);
    fields.end();
    return custody.read(call.caller(), id);
  }
}
