package org.keywell.kmip.operation;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.pkcs11.ManagedKeys;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Keys under another key of the same owner, by NIST key wrap (RFC 3394), which must be {@linkplain
 * Secrecy secret} if the key is not to leave in clear. Without an encoding the key goes from one
 * wrapping to the other inside the HSM. KMIP's own encoding exists outside of it only, so that what
 * is wrapped in it must be allowed to leave in clear.
 */
record KeyWrap(Custody custody) {

  /** Returns the object's structure, with its key value wrapped. */
  Item of(
      OperationCall<KmipCaller> call,
      ManagedObject object,
      @Nullable String format,
      Value.Structure specification) {
    if (!call.caller().mayExport()) {
      throw new KmipException("PermissionDenied", "the caller lacks the role export");
    }
    if (object.type() != ObjectType.SYMMETRIC_KEY && object.type() != ObjectType.PRIVATE_KEY) {
      throw new KmipException("IllegalObjectType", "only keys are wrapped");
    }
    Secrecy.requireExtractable(object);
    Fields fields = new Fields("KeyWrappingSpecification", specification, call.version());
    boolean encoded = isEncoded(fields);
    Value.Structure key = key(fields);
    ManagedObject wrappingKey = wrappingKey(call.caller(), call.version(), key, "WrapKey");
    byte[] kept = custody.blob(object);
    KeyBlock block = encoded ? encoded(object, kept, format) : inside(object, format);
    byte[] blob = encoded ? custody.store(block.encodedKeyValue()) : kept;
    Secrecy secrecy = new Secrecy(custody);
    if (!custody.exports().allows(object.type())) {
      secrecy.keep(wrappingKey);
    }
    secrecy.leaves(object);
    FieldsBuilder how =
        new FieldsBuilder()
            .choice("WrappingMethod", "Encrypt")
            .add("EncryptionKeyInformation", key)
            .choice("EncodingOption", encoded ? null : "NoEncoding");
    byte[] wrapped = custody.keys().wrapUnder(blob, custody.blob(wrappingKey));
    return new FieldsBuilder()
        .add(block.wrapped(wrapped, new Value.Structure(how.items())).item())
        .in(object.type().label());
  }

  private static boolean isEncoded(Fields fields) {
    if (!fields.choice("WrappingMethod").equals("Encrypt")) {
      throw new KmipException("FeatureNotSupported", "the only wrapping method is Encrypt");
    }
    @Nullable String option = fields.choiceIfAny("EncodingOption");
    return option == null || option.equals("TTLVEncoding");
  }

  /**
   * A key that a client has wrapped.
   *
   * @param kept whether its wrapping key never leaves, so that neither may this one
   */
  record Unwrapped(Material material, boolean kept) {}

  /**
   * Takes in a key that the client has wrapped. It is never in clear outside of the HSM.
   *
   * @param data its key wrapping data
   */
  Unwrapped in(KmipCaller owner, Value.Structure data, ProtocolVersion version, byte[] wrapped) {
    Fields fields = new Fields("KeyWrappingData", data, version);
    if (isEncoded(fields)) {
      throw new KmipException("EncodingOptionError", "wrapped keys are registered with NoEncoding");
    }
    ManagedObject wrappingKey = wrappingKey(owner, version, key(fields), "UnwrapKey");
    Custody.requireSize(
        "a wrapped key", wrapped, 1, ManagedKeys.MAX_CONTENT_BYTES + ManagedKeys.WRAPPING_BYTES);
    byte[] blob = custody.keys().unwrapUnder(wrapped, custody.blob(wrappingKey));
    return new Unwrapped(custody.wrapped(blob), Secrecy.isKept(wrappingKey));
  }

  private static Value.Structure key(Fields fields) {
    Value.Structure key = fields.required("EncryptionKeyInformation", Value.Structure.class);
    fields.end();
    return key;
  }

  private ManagedObject wrappingKey(
      KmipCaller owner, ProtocolVersion version, Value.Structure information, String usage) {
    Fields fields = new Fields("EncryptionKeyInformation", information, version);
    UUID id = Identifiers.parse(fields.required("UniqueIdentifier", Value.Text.class).value());
    Value.@Nullable Structure parameters = Parameters.take(fields);
    fields.end();
    Item nist = Tag.named("BlockCipherMode").item("NISTKeyWrap");
    if (parameters != null && !parameters.items().contains(nist)) {
      throw Parameters.unsupported("keys are wrapped by NISTKeyWrap only");
    }
    ManagedObject key = custody.objects().use(usage, owner.name(), id).at(custody.now());
    if (key.type() != ObjectType.SYMMETRIC_KEY
        || !"AES".equals(key.attributes().choice("Cryptographic Algorithm"))) {
      throw new KmipException("IllegalObjectType", "the wrapping key is not an AES key");
    }
    custody.requireUsable(key, usage, usage.equals("WrapKey"));
    return key;
  }

  private KeyBlock encoded(ManagedObject object, byte[] kept, @Nullable String format) {
    if (!custody.exports().allows(object.type())) {
      throw new KmipException(
          "EncodingOptionError", "only NoEncoding wraps what does not leave the HSM in clear");
    }
    return KeyBlock.of(object, custody.keys().reveal(kept), format);
  }

  /** Without encoding the wrapped bytes are what the HSM has. */
  private static KeyBlock inside(ManagedObject object, @Nullable String format) {
    String kept = object.type() == ObjectType.PRIVATE_KEY ? "PKCS_8" : "Raw";
    if (format != null && !format.equals(kept)) {
      throw new KmipException("KeyFormatTypeNotSupported", "wrapped inside the HSM as " + kept);
    }
    return KeyBlock.described(object, kept, new byte[0]);
  }
}
