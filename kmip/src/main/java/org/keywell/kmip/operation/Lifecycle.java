package org.keywell.kmip.operation;

import java.time.Instant;
import java.util.List;
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
        before -> Dates.stamped(before.in(State.ACTIVE), "Activation Date", now));
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
    Value.@Nullable DateTime given = fields.optional(OCCURRED, Value.DateTime.class);
    Instant now = custody.clock().instant();
    // 2.x does not ask for it.
    Value occurred = given == null ? Dates.now(now) : given;
    boolean compromised = code.equals("KeyCompromise") || code.equals("CACompromise");
    return change(
        "Revoke",
        call,
        fields,
        before -> {
          ManagedObject noted =
              before.with(before.attributes().set(Attributes.named("Revocation Reason"), reason));
          if (!compromised) {
            return Dates.stamped(noted.in(State.DEACTIVATED), "Deactivation Date", now);
          }
          ManagedObject marked =
              Dates.stamped(noted.in(compromised(noted)), "Compromise Date", now);
          return marked.with(
              marked.attributes().set(Attributes.named("Compromise Occurrence Date"), occurred));
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
        before -> Dates.stamped(before.destroyed(), "Destroy Date", now));
  }

  private List<Item> change(
      String operation,
      OperationCall<KmipCaller> call,
      Fields fields,
      UnaryOperator<ManagedObject> change) {
    return List.of(Identifiers.item(custody.change(operation, call, fields, change).id()));
  }
}
