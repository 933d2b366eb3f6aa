package org.keywell.kmip.operation;

import java.util.List;
import java.util.Set;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.ttlv.Item;

/** Makes a symmetric key in the HSM. */
final class Create implements OperationHandler<KmipCaller> {

  private static final Set<String> HMAC = Set.of("HMAC_SHA256", "HMAC_SHA384", "HMAC_SHA512");
  private static final int BYTE = 8;

  private final Custody custody;

  Create(Custody custody) {
    this.custody = custody;
  }

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    ObjectType type = ObjectTypes.take(fields);
    Template template = Template.take(call, fields, "TemplateAttribute", "Attributes");
    fields.end();
    if (type != ObjectType.SYMMETRIC_KEY) {
      throw new KmipException(
          ResultReason.named("IllegalObjectType"), "Create makes symmetric keys only");
    }
    ManagedObject key = make(call.caller(), template);
    custody.objects().insert("Create", List.of(key), InTransaction.NOTHING);
    call.batch().setIdPlaceholder(key.id().toString());
    return List.of(ObjectTypes.item(type), Identifiers.item(key.id()));
  }

  /** Returns a new key, which is not stored yet. */
  ManagedObject make(KmipCaller owner, Template template) {
    String algorithm = template.choice("Cryptographic Algorithm", "CryptographicAlgorithm");
    if (algorithm == null) {
      throw new KmipException(
          ResultReason.named("MissingData"), "Cryptographic Algorithm is not given");
    }
    int bits = template.required("Cryptographic Length");
    return new NewObjects(custody.clock())
        .key(
            owner,
            ObjectType.SYMMETRIC_KEY,
            template.attributes(ObjectType.SYMMETRIC_KEY),
            algorithm,
            bits,
            material(algorithm, bits));
  }

  private Material material(String algorithm, int bits) {
    if (algorithm.equals("AES") && Set.of(128, 192, 256).contains(bits)) {
      return custody.wrapped(custody.keys().generateAes(bits));
    }
    if (HMAC.contains(algorithm) && bits >= 128 && bits <= 512 && bits % BYTE == 0) {
      return custody.wrapped(custody.keys().generateSecret(bits / BYTE));
    }
    throw new KmipException(
        ResultReason.INVALID_FIELD,
        "no %s keys of %d bits: AES has 128, 192 or 256, HMAC-SHA-2 128 to 512"
            .formatted(algorithm, bits));
  }
}
