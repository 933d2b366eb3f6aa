package org.keywell.kmip.operation;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.State;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Activate}, {@code Revoke} and {@code Destroy}. */
final class Lifecycle {

  private static final Tag REASON = Tag.named("RevocationReason");
  private static final Tag CODE = Tag.named("RevocationReasonCode");
  private static final Tag MESSAGE = Tag.named("RevocationMessage");
  private static final Tag OCCURRED = Tag.named("CompromiseOccurrenceDate");

  private final Custody custody;

  Lifecycle(Custody custody) {
    this.custody = custody;
  }

  List<Item> activate(OperationCall<KmipCaller> call) {
    Instant now = custody.clock().instant();
    return change(
        "Activate",
        call,
        call.fields(),
        before -> stamped(before.in(State.ACTIVE), "Activation Date", now));
  }

  /** Deactivates an object or, if that is why, marks it as compromised. */
  List<Item> revoke(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.Structure reason = fields.required(REASON, Value.Structure.class);
    Fields inside = new Fields(REASON, reason, call.version());
    String code =
        KeyBlock.name(CODE, inside.required(CODE, Value.Enumerated.class), call.version());
    Value.@Nullable Text _ = inside.optional(MESSAGE, Value.Text.class);
    inside.end();
    Value.@Nullable DateTime occurred = fields.optional(OCCURRED, Value.DateTime.class);
    boolean compromised = code.equals("KeyCompromise") || code.equals("CACompromise");
    if (compromised && occurred == null) {
      // 2.x does not ask for it.
      occurred = new Value.DateTime(custody.clock().instant().getEpochSecond());
    }
    Value.@Nullable DateTime since = occurred;
    Instant now = custody.clock().instant();
    return change(
        "Revoke",
        call,
        fields,
        before -> {
          ManagedObject noted =
              before.with(before.attributes().set(Attributes.named("Revocation Reason"), reason));
          if (!compromised) {
            return stamped(noted.in(State.DEACTIVATED), "Deactivation Date", now);
          }
          ManagedObject marked = stamped(noted.in(compromised(noted)), "Compromise Date", now);
          return since == null
              ? marked
              : marked.with(
                  marked.attributes().set(Attributes.named("Compromise Occurrence Date"), since));
        });
  }

  private static State compromised(ManagedObject object) {
    return object.state().isDestroyed() ? State.DESTROYED_COMPROMISED : State.COMPROMISED;
  }

  /** Destroys the material. What is known of the object stays. */
  List<Item> destroy(OperationCall<KmipCaller> call) {
    Instant now = custody.clock().instant();
    return change(
        "Destroy",
        call,
        call.fields(),
        before -> {
          return stamped(before.destroyed(), "Destroy Date", now);
        });
  }

  private static ManagedObject stamped(ManagedObject object, String date, Instant now) {
    return object.with(object.attributes().set(Attributes.named(date), Dates.now(now)));
  }

  private List<Item> change(
      String operation,
      OperationCall<KmipCaller> call,
      Fields fields,
      UnaryOperator<ManagedObject> change) {
    UUID id = Identifiers.take(call, fields);
    fields.end();
    Instant now = custody.clock().instant();
    var _ =
        custody
            .objects()
            .change(
                operation,
                call.caller().name(),
                id,
                before -> stamped(change.apply(Dates.at(before, now)), "Last Change Date", now));
    return List.of(Identifiers.item(id));
  }
}
