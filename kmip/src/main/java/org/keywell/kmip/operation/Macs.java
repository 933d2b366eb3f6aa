package org.keywell.kmip.operation;

import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code MAC} and {@code MAC Verify}, in the HSM. */
final class Macs {

  private static final Tag DATA = Tag.named("Data");
  private static final Tag MAC = Tag.named("MACData");
  private static final Tag VALIDITY = Tag.named("ValidityIndicator");

  private final Custody custody;

  Macs(Custody custody) {
    this.custody = custody;
  }

  List<Item> mac(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.@Nullable Structure parameters = Parameters.take(fields);
    byte[] data = fields.required(DATA, Value.Bytes.class).value();
    ManagedObject key = custody.use("MAC", call, fields);
    custody.requireUsable(key, "MACGenerate", true);
    byte[] mac = compute(Parameters.of(parameters, key, call.version()), key, data);
    return List.of(Identifiers.item(key.id()), MAC.item(new Value.Bytes(mac)));
  }

  List<Item> verify(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.@Nullable Structure parameters = Parameters.take(fields);
    byte[] data = fields.required(DATA, Value.Bytes.class).value();
    byte[] given = fields.required(MAC, Value.Bytes.class).value();
    ManagedObject key = custody.use("MAC Verify", call, fields);
    custody.requireUsable(key, "MACVerify", false);
    byte[] mac = compute(Parameters.of(parameters, key, call.version()), key, data);
    return List.of(
        Identifiers.item(key.id()),
        VALIDITY.item(MessageDigest.isEqual(mac, given) ? "Valid" : "Invalid"));
  }

  private byte[] compute(Parameters parameters, ManagedObject key, byte[] data) {
    return custody.keys().mac(custody.blob(key), parameters.hmac(key), data);
  }
}
