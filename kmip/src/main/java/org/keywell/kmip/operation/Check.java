package org.keywell.kmip.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Tells what of an intended use an object does not allow; nothing if it allows all of it. */
final class Check implements OperationHandler<KmipCaller> {

  private static final Tag USAGE_MASK = Tag.named("CryptographicUsageMask");
  private static final Tag LIMITS_COUNT = Tag.named("UsageLimitsCount");
  private static final Tag LEASE_TIME = Tag.named("LeaseTime");

  private final Custody custody;

  Check(Custody custody) {
    this.custody = custody;
  }

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    UUID id = Identifiers.take(call, fields);
    Value.@Nullable Int usage = fields.optional(USAGE_MASK, Value.Int.class);
    // No object has limits or leases here, so that any is within them.
    Value.@Nullable LongInt _ = fields.optional(LIMITS_COUNT, Value.LongInt.class);
    Value.@Nullable Interval _ = fields.optional(LEASE_TIME, Value.Interval.class);
    fields.end();
    ManagedObject object = custody.read(call.caller(), id);
    List<Item> answer = new ArrayList<>();
    answer.add(Identifiers.item(object.id()));
    int mask =
        object.attributes().first(Attributes.named("Cryptographic Usage Mask"))
                instanceof Value.Int(int bits)
            ? bits
            : 0;
    if (usage != null && (usage.value() & ~mask) != 0) {
      answer.add(USAGE_MASK.item(new Value.Int(mask)));
    }
    return answer;
  }
}
