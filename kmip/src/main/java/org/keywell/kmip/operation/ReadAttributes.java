package org.keywell.kmip.operation;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

/** {@code Get Attributes}, {@code Get Attribute List} and {@code Check}. */
record ReadAttributes(Custody custody) {

  /** Returns those that are asked for and are there; all if none is named. */
  List<Item> get(OperationCall<KmipCaller> call) {
    boolean two = call.version().isAtLeast(ProtocolVersion.V2_0);
    AttributeForm form = new AttributeForm(call.version());
    Set<AttributeName> wanted =
        call.fields().repeated(two ? "AttributeReference" : "AttributeName", Value.class).stream()
            .map(form::readName)
            .collect(Collectors.toSet());
    ManagedObject object = custody.read(call);
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
    ManagedObject object = custody.read(call);
    AttributeForm form = new AttributeForm(call.version());
    FieldsBuilder answer = Identifiers.answer(object);
    form.visible(object).stream()
        .map(AttributeValue::name)
        .distinct()
        .forEach(name -> answer.add(form.writeName(name)));
    return answer.items();
  }

  /** Tells what of an intended use an object does not allow; nothing if it allows all of it. */
  List<Item> check(OperationCall<KmipCaller> call) {
    int usage = call.fields().number("CryptographicUsageMask", 0);
    // No object has limits or leases here, so that any is within them.
    call.fields().optional("UsageLimitsCount", Value.LongInt.class);
    call.fields().optional("LeaseTime", Value.Interval.class);
    ManagedObject object = custody.read(call);
    int mask = object.attributes().number("Cryptographic Usage Mask");
    FieldsBuilder answer = Identifiers.answer(object);
    return (usage & ~mask) == 0
        ? answer.items()
        : answer.integer("CryptographicUsageMask", mask).items();
  }
}
