package org.keywell.kmip.operation;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** {@code RNG Retrieve}, {@code RNG Seed} and {@code Hash}, which are about no object. */
record Keyless(Custody custody) {

  private static final int MOST_BYTES = 4_096;

  /** Returns random bytes of the HSM. */
  List<Item> random(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    int length = fields.number("DataLength");
    fields.end();
    if (length < 1 || length > MOST_BYTES) {
      throw new KmipException(
          "InvalidField", "DataLength is %d, not 1 to %d".formatted(length, MOST_BYTES));
    }
    return new FieldsBuilder().bytes("Data", custody.keys().random(length)).items();
  }

  /** Takes no seed: the HSM seeds itself. The answer says so, as the specification provides. */
  List<Item> seed(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    fields.required("Data", Value.Bytes.class);
    fields.end();
    return new FieldsBuilder().integer("DataLength", 0).items();
  }

  /** Hashes data, outside of the HSM: nothing about it is secret. */
  List<Item> hash(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.@Nullable Structure given = Parameters.take(fields);
    byte[] data = fields.bytes("Data");
    fields.end();
    if (given == null) {
      throw new KmipException("MissingData", "CryptographicParameters are not given");
    }
    DigestAlgorithm algorithm = Parameters.of(given, null, call.version()).hash();
    return new FieldsBuilder().bytes("Data", digest(algorithm, data)).items();
  }

  static byte[] digest(DigestAlgorithm algorithm, byte[] data) {
    try {
      return MessageDigest.getInstance(algorithm.label()).digest(data);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }
}
