package org.keywell.kmip.operation;

import java.util.List;
import java.util.UUID;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Tells what of an intended use an object does not allow; nothing if it allows all of it. */
record Check(Custody custody) implements OperationHandler<KmipCaller> {

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    UUID id = Identifiers.take(call, fields);
    int usage = fields.number("CryptographicUsageMask", 0);
    // No object has limits or leases here, so that any is within them.
    fields.optional("UsageLimitsCount", Value.LongInt.class);
    fields.optional("LeaseTime", Value.Interval.class);
    fields.end();
    ManagedObject object = custody.read(call.caller(), id);
    FieldsBuilder answer = Identifiers.answer(object);
    int mask = object.attributes().number("Cryptographic Usage Mask");
    if ((usage & ~mask) != 0) {
      answer.integer("CryptographicUsageMask", mask);
    }
    return answer.items();
  }
}
