package org.keywell.kmip.operation;

import java.util.List;
import java.util.Set;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Makes a symmetric key in the HSM. */
record Create(Custody custody) implements OperationHandler<KmipCaller> {

  private static final Set<String> HMAC = Set.of("HMAC_SHA256", "HMAC_SHA384", "HMAC_SHA512");
  static final Set<Integer> AES_BITS = Set.of(128, 192, 256);
  private static final int BYTE = 8;

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    ObjectType type = ObjectType.take(fields);
    Template template = Template.take(call, "TemplateAttribute", "Attributes");
    fields.end();
    if (type != ObjectType.SYMMETRIC_KEY) {
      throw new KmipException("IllegalObjectType", "Create makes symmetric keys only");
    }
    ManagedObject key = make(call.caller(), template);
    custody.add("Create", call, key);
    return new FieldsBuilder()
        .add("ObjectType", type.attribute())
        .id("UniqueIdentifier", key.id())
        .items();
  }

  /** Returns a new key, which is not stored yet. */
  ManagedObject make(KmipCaller owner, Template template) {
    Attributes given = template.given();
    if (!given.has("Cryptographic Algorithm")) {
      throw new KmipException("MissingData", "Cryptographic Algorithm is not given");
    }
    int bits = given.number("Cryptographic Length");
    if (bits <= 0) {
      throw new KmipException("MissingData", "Cryptographic Length is not given");
    }
    String algorithm = String.valueOf(given.choice("Cryptographic Algorithm"));
    requireOffered(algorithm, bits);
    Attributes attributes =
        NewObjects.described(
                ObjectType.SYMMETRIC_KEY,
                template.attributes(ObjectType.SYMMETRIC_KEY),
                algorithm,
                bits)
            .add(Secrecy.STAYED, new Value.Bool(true));
    return new NewObjects(custody, owner)
        .object(ObjectType.SYMMETRIC_KEY, attributes, material(algorithm, bits));
  }

  private static void requireOffered(String algorithm, int bits) {
    boolean hmac = HMAC.contains(algorithm) && bits >= 128 && bits <= 512 && bits % BYTE == 0;
    if (!hmac && !(algorithm.equals("AES") && AES_BITS.contains(bits))) {
      throw new KmipException(
          "InvalidField",
          "no %s keys of %d bits: AES has 128, 192 or 256, HMAC-SHA-2 128 to 512"
              .formatted(algorithm, bits));
    }
  }

  private Material material(String algorithm, int bits) {
    return custody.wrapped(
        algorithm.equals("AES")
            ? custody.keys().generateAes(bits)
            : custody.keys().generateSecret(bits / BYTE));
  }
}
