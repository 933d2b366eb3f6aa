package org.keywell.kmip.operation;

import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code MAC} and {@code MAC Verify}, in the HSM. */
record Macs(Custody custody) {

  List<Item> mac(OperationCall<KmipCaller> call) {
    return handle(call, false);
  }

  List<Item> verify(OperationCall<KmipCaller> call) {
    return handle(call, true);
  }

  private List<Item> handle(OperationCall<KmipCaller> call, boolean verify) {
    Fields fields = call.fields();
    Value.@Nullable Structure given = Parameters.take(fields);
    byte[] data = Custody.data(fields);
    byte @Nullable [] expected = verify ? fields.bytes("MACData") : null;
    ManagedObject key = custody.use(verify ? "MAC Verify" : "MAC", call);
    custody.requireUsable(key, verify ? "MACVerify" : "MACGenerate", !verify);
    Parameters parameters = Parameters.of(given, key, call.version());
    byte[] mac = custody.keys().mac(custody.blob(key), parameters.hmac(key), data);
    if (expected == null) {
      return Identifiers.answer(key).bytes("MACData", mac).items();
    }
    boolean valid = MessageDigest.isEqual(mac, expected);
    return Identifiers.answer(key).choice("ValidityIndicator", valid ? "Valid" : "Invalid").items();
  }
}
