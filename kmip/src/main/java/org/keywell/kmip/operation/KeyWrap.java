package org.keywell.kmip.operation;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Keys under another key of the same owner, by NIST key wrap (RFC 3394). Without an encoding the
 * key goes from one wrapping to the other inside the HSM. KMIP's own encoding exists outside of it
 * only, so that what is wrapped in it must be allowed to leave in clear.
 */
final class KeyWrap {

  private static final Tag SPECIFICATION = Tag.named("KeyWrappingSpecification");
  private static final Tag METHOD = Tag.named("WrappingMethod");
  private static final Tag KEY = Tag.named("EncryptionKeyInformation");
  private static final Tag ENCODING = Tag.named("EncodingOption");
  private static final Tag UNIQUE_IDENTIFIER = Tag.named("UniqueIdentifier");
  private static final Tag PARAMETERS = Tag.named("CryptographicParameters");
  private static final Tag MODE = Tag.named("BlockCipherMode");

  private static final Tag WRAPPING_DATA = Tag.named("KeyWrappingData");

  private static final Item ENCRYPT = METHOD.item("Encrypt");
  private static final Item NIST_KEY_WRAP = MODE.item("NISTKeyWrap");

  private final Custody custody;

  KeyWrap(Custody custody) {
    this.custody = custody;
  }

  /** Returns the object's structure, with its key value wrapped. */
  Item of(
      OperationCall<KmipCaller> call,
      ManagedObject object,
      @Nullable String format,
      Value.Structure specification) {
    if (!call.caller().mayExport()) {
      throw new KmipException(
          ResultReason.named("PermissionDenied"), "the caller lacks the role export");
    }
    if (object.type() != ObjectType.SYMMETRIC_KEY && object.type() != ObjectType.PRIVATE_KEY) {
      throw new KmipException(ResultReason.named("IllegalObjectType"), "only keys are wrapped");
    }
    Get.requireExtractable(object);
    Fields fields = new Fields(SPECIFICATION, specification, call.version());
    boolean encoded = isEncoded(fields, call.version());
    Value.Structure key = key(fields);
    ManagedObject wrappingKey = wrappingKey(call.caller(), call.version(), key, "WrapKey");
    byte[] kept = custody.blob(object);
    KeyBlock block = encoded ? encoded(object, kept, format) : inside(object, format);
    byte[] blob = encoded ? custody.keys().store(block.encodedKeyValue()) : kept;
    Value.Structure data =
        new Value.Structure(
            encoded
                ? List.of(ENCRYPT, KEY.item(key))
                : List.of(ENCRYPT, KEY.item(key), ENCODING.item("NoEncoding")));
    KeyBlock wrapped =
        new KeyBlock(
            block.format(),
            custody.keys().wrapUnder(blob, custody.blob(wrappingKey)),
            null,
            0,
            data);
    return Get.structure(object, Formats.block(object, wrapped).item());
  }

  private static boolean isEncoded(Fields fields, ProtocolVersion version) {
    if (fields.required(METHOD, Value.Enumerated.class).value()
        != ((Value.Enumerated) ENCRYPT.value()).value()) {
      throw new KmipException(
          ResultReason.FEATURE_NOT_SUPPORTED, "the only wrapping method is Encrypt");
    }
    Value.@Nullable Enumerated option =
        Tag.named("EncodingOption").span().includes(version)
            ? fields.optional(ENCODING, Value.Enumerated.class)
            : null;
    return option == null
        || option.value() == Enumerations.named("EncodingOption", "TTLVEncoding").bits();
  }

  /**
   * Takes in a key that the client has wrapped. It is never in clear outside of the HSM.
   *
   * @param data its key wrapping data
   */
  Material in(KmipCaller owner, Value.Structure data, ProtocolVersion version, byte[] wrapped) {
    Fields fields = new Fields(WRAPPING_DATA, data, version);
    if (isEncoded(fields, version)) {
      throw new KmipException(
          ResultReason.named("EncodingOptionError"), "wrapped keys are registered with NoEncoding");
    }
    ManagedObject wrappingKey = wrappingKey(owner, version, key(fields), "UnwrapKey");
    return custody.wrapped(custody.keys().unwrapUnder(wrapped, custody.blob(wrappingKey)));
  }

  private static Value.Structure key(Fields fields) {
    Value.Structure key = fields.required(KEY, Value.Structure.class);
    fields.end();
    return key;
  }

  private ManagedObject wrappingKey(
      KmipCaller owner, ProtocolVersion version, Value.Structure information, String usage) {
    Fields fields = new Fields(KEY, information, version);
    UUID id = Identifiers.parse(fields.required(UNIQUE_IDENTIFIER, Value.Text.class).value());
    Value.@Nullable Structure parameters = fields.optional(PARAMETERS, Value.Structure.class);
    fields.end();
    if (parameters != null && !parameters.items().contains(NIST_KEY_WRAP)) {
      throw new KmipException(
          ResultReason.named("UnsupportedCryptographicParameters"),
          "keys are wrapped by NISTKeyWrap only");
    }
    ManagedObject key = custody.objects().use(usage, owner.name(), id);
    ManagedObject now = Dates.at(key, custody.clock().instant());
    if (now.type() != ObjectType.SYMMETRIC_KEY || !"AES".equals(Formats.algorithm(now))) {
      throw new KmipException(
          ResultReason.named("IllegalObjectType"), "the wrapping key is not an AES key");
    }
    custody.requireUsable(now, usage, usage.equals("WrapKey"));
    return now;
  }

  private KeyBlock encoded(ManagedObject object, byte[] kept, @Nullable String format) {
    boolean isPrivate = object.type() == ObjectType.PRIVATE_KEY;
    if (isPrivate ? !custody.exports().privateKeys() : !custody.exports().secrets()) {
      throw new KmipException(
          ResultReason.named("EncodingOptionError"),
          "only NoEncoding wraps what does not leave the HSM in clear");
    }
    byte[] clear = custody.keys().reveal(kept);
    return isPrivate
        ? Formats.privateBlock("RSA".equals(Formats.algorithm(object)), clear, format)
        : Formats.symmetricBlock(clear, format);
  }

  /** Without encoding the wrapped bytes are what the HSM has. */
  private static KeyBlock inside(ManagedObject object, @Nullable String format) {
    String kept = object.type() == ObjectType.PRIVATE_KEY ? "PKCS_8" : "Raw";
    if (format != null && !format.equals(kept)) {
      throw new KmipException(
          ResultReason.named("KeyFormatTypeNotSupported"), "wrapped inside the HSM as " + kept);
    }
    return new KeyBlock(kept, new byte[0], null, 0, null);
  }
}
