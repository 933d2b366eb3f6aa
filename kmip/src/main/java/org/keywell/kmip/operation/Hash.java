package org.keywell.kmip.operation;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Hashes data, outside of the HSM: nothing about it is secret. */
final class Hash implements OperationHandler<KmipCaller> {

  private static final Tag DATA = Tag.named("Data");

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.@Nullable Structure given = Parameters.take(fields);
    byte[] data = fields.required(DATA, Value.Bytes.class).value();
    fields.end();
    if (given == null) {
      throw new KmipException(
          ResultReason.named("MissingData"), "CryptographicParameters are not given");
    }
    DigestAlgorithm algorithm = Parameters.of(given, null, call.version()).hash();
    return List.of(DATA.item(new Value.Bytes(of(algorithm, data))));
  }

  static byte[] of(DigestAlgorithm algorithm, byte[] data) {
    try {
      return MessageDigest.getInstance(algorithm.label()).digest(data);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }
}
