package org.keywell.kmip.operation;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.State;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code Activate}, {@code Revoke} and {@code Destroy}. */
record Lifecycle(Custody custody) {

  private static final Set<String> COMPROMISE = Set.of("KeyCompromise", "CACompromise");

  List<Item> activate(OperationCall<KmipCaller> call) {
    return change(
        "Activate",
        call,
        before -> before.in(State.ACTIVE).stamped("Activation Date", custody.now()));
  }

  /** Deactivates an object or, if that is why, marks it as compromised. */
  List<Item> revoke(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.Structure reason = fields.required("RevocationReason", Value.Structure.class);
    Fields inside = new Fields("RevocationReason", reason, call.version());
    boolean compromised = COMPROMISE.contains(inside.choice("RevocationReasonCode"));
    inside.optional("RevocationMessage", Value.Text.class);
    inside.end();
    var given = fields.optional("CompromiseOccurrenceDate", Value.DateTime.class);
    Instant now = custody.now();
    // 2.x does not ask for it.
    Value occurred = given == null ? new Value.DateTime(now.getEpochSecond()) : given;
    return change(
        "Revoke",
        call,
        before -> {
          ManagedObject noted = before.with("Revocation Reason", reason);
          if (!compromised) {
            return noted.in(State.DEACTIVATED).stamped("Deactivation Date", now);
          }
          boolean gone = noted.state().isDestroyed();
          return noted
              .in(gone ? State.DESTROYED_COMPROMISED : State.COMPROMISED)
              .stamped("Compromise Date", now)
              .with("Compromise Occurrence Date", occurred);
        });
  }

  /** Destroys the material. What is known of the object stays. */
  List<Item> destroy(OperationCall<KmipCaller> call) {
    return change(
        "Destroy", call, before -> before.destroyed().stamped("Destroy Date", custody.now()));
  }

  private List<Item> change(
      String operation, OperationCall<KmipCaller> call, UnaryOperator<ManagedObject> change) {
    return Identifiers.answer(custody.change(operation, call, change)).items();
  }
}
