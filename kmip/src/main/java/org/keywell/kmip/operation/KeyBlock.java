package org.keywell.kmip.operation;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/**
 * A key in a message (KMIP, section "Key Block").
 *
 * @param format of the enumeration {@code KeyFormatType}
 * @param material in that format, or wrapped; of a transparent RSA or EC key, the form it is kept
 *     in
 * @param algorithm of the enumeration {@code CryptographicAlgorithm}; null if none is named
 * @param bits the key's length; 0 if none is named
 * @param wrapping how the key value is wrapped; null: it is not
 */
record KeyBlock(
    String format,
    byte[] material,
    @Nullable String algorithm,
    int bits,
    Value.@Nullable Structure wrapping) {

  private static final String TRANSPARENT = "TransparentSymmetricKey";

  /** What transparent keys become. */
  private static final Map<String, String> OPAQUE_FORMS =
      Map.of(
          TRANSPARENT,
          "Raw",
          "TransparentRSAPublicKey",
          "PKCS_1",
          "TransparentRSAPrivateKey",
          "PKCS_1",
          "TransparentECPublicKey",
          "X_509",
          "TransparentECPrivateKey",
          "ECPrivateKey",
          "TransparentECDSAPublicKey",
          "X_509",
          "TransparentECDSAPrivateKey",
          "ECPrivateKey");

  /** Takes the block of an object's structure. Transparent keys become opaque ones. */
  static KeyBlock take(ObjectType type, Fields object) {
    Fields block = object.inside("KeyBlock");
    String format = block.choice("KeyFormatType");
    requireUncompressed(type, block.choiceIfAny("KeyCompressionType"));
    Value value = block.required("KeyValue", Value.class);
    @Nullable String algorithm = block.choiceIfAny("CryptographicAlgorithm");
    int bits = block.number("CryptographicLength", 0);
    var wrapping = block.optional("KeyWrappingData", Value.Structure.class);
    block.end();
    byte[] material = material(value, format, wrapping != null, block.version());
    String kept = OPAQUE_FORMS.getOrDefault(format, format);
    return new KeyBlock(kept, material, algorithm, bits, wrapping);
  }

  /** Only points of curves are ever compressed; of other keys, clients say it without effect. */
  static void requireUncompressed(ObjectType type, @Nullable String compression) {
    if (type == ObjectType.PUBLIC_KEY
        && compression != null
        && !compression.equals("ECPublicKeyTypeUncompressed")) {
      throw new KmipException("KeyCompressionTypeNotSupported", "keys are not compressed here");
    }
  }

  private static byte[] material(
      Value value, String format, boolean wrapped, ProtocolVersion version) {
    if (wrapped && value instanceof Value.Bytes(byte[] bytes)) {
      return bytes;
    }
    if (!(value instanceof Value.Structure structure)) {
      throw new KmipException("InvalidMessage", "KeyValue must be a Structure");
    }
    Fields fields = new Fields("KeyValue", structure, version);
    Value material = fields.required("KeyMaterial", Value.class);
    // Attributes beside the material say nothing that a template would not say.
    fields.repeated("Attribute", Value.class);
    fields.repeated("Attributes", Value.class);
    fields.end();
    if (material instanceof Value.Structure structured) {
      Fields parts = new Fields("KeyMaterial", structured, version);
      return switch (format) {
        case TRANSPARENT -> parts.bytes("Key");
        case "TransparentRSAPublicKey" -> TransparentKeys.rsaPublicKey(parts);
        case "TransparentRSAPrivateKey" -> TransparentKeys.rsaPrivateKey(parts);
        case "TransparentECPublicKey", "TransparentECDSAPublicKey" ->
            TransparentKeys.ecPublicKey(parts);
        case "TransparentECPrivateKey", "TransparentECDSAPrivateKey" ->
            TransparentKeys.ecPrivateKey(parts);
        default ->
            throw new KmipException(
                "KeyFormatTypeNotSupported", "key material of this format is a ByteString");
      };
    }
    if (!(material instanceof Value.Bytes(byte[] bytes))) {
      throw new KmipException("KeyFormatTypeNotSupported", "key material must be a ByteString");
    }
    return bytes;
  }

  /**
   * Returns an object's content as a block (KMIP, section "Default Key Format Type").
   *
   * @param content as it is kept
   * @param format null for the default one
   * @throws KmipException if such an object has no such format
   */
  static KeyBlock of(ManagedObject object, byte[] content, @Nullable String format) {
    boolean rsa = "RSA".equals(object.attributes().choice("Cryptographic Algorithm"));
    List<String> formats =
        switch (object.type()) {
          case SYMMETRIC_KEY -> List.of("Raw", TRANSPARENT, "Opaque");
          case PRIVATE_KEY ->
              rsa
                  ? List.of("PKCS_1", "PKCS_8", "TransparentRSAPrivateKey")
                  : List.of(
                      "ECPrivateKey",
                      "PKCS_8",
                      "TransparentECPrivateKey",
                      "TransparentECDSAPrivateKey");
          case PUBLIC_KEY ->
              rsa
                  ? List.of("PKCS_1", "X_509", "TransparentRSAPublicKey")
                  : List.of("X_509", "TransparentECPublicKey", "TransparentECDSAPublicKey");
          case SECRET_DATA, OPAQUE_OBJECT, CERTIFICATE -> List.of("Opaque", "Raw");
        };
    String wanted = format == null ? formats.getFirst() : format;
    if (!formats.contains(wanted)) {
      throw new KmipException("KeyFormatTypeNotSupported", "such an object has no form " + wanted);
    }
    boolean inner = wanted.equals("PKCS_1") || wanted.equals("ECPrivateKey");
    byte[] material =
        !inner
            ? content
            : object.type() == ObjectType.PUBLIC_KEY
                ? KeyForms.rsaPublicKey(content)
                : KeyForms.inner(content);
    return described(object, wanted, material);
  }

  /** Returns a block with what a key's attributes say of it. */
  static KeyBlock described(ManagedObject object, String format, byte[] material) {
    if (object.type() == ObjectType.SECRET_DATA) {
      return new KeyBlock(format, material, null, 0, null);
    }
    String algorithm = object.attributes().choice("Cryptographic Algorithm");
    int bits = object.attributes().number("Cryptographic Length");
    return new KeyBlock(format, material, algorithm, bits, null);
  }

  KeyBlock wrapped(byte[] value, Value.Structure how) {
    return new KeyBlock(format, value, algorithm, bits, how);
  }

  /** Returns the block as an item. */
  Item item() {
    FieldsBuilder fields = new FieldsBuilder().choice("KeyFormatType", format);
    if (wrapping == null) {
      fields.add(keyValue());
    } else {
      fields.bytes("KeyValue", material);
    }
    fields.choice("CryptographicAlgorithm", algorithm);
    if (bits > 0) {
      fields.integer("CryptographicLength", bits);
    }
    return fields.add("KeyWrappingData", wrapping).in("KeyBlock");
  }

  private Item keyValue() {
    FieldsBuilder value = new FieldsBuilder();
    switch (format) {
      case TRANSPARENT ->
          value.structure("KeyMaterial", new FieldsBuilder().bytes("Key", material));
      case "TransparentRSAPublicKey" ->
          value.structure("KeyMaterial", TransparentKeys.ofRsaPublic(material));
      case "TransparentRSAPrivateKey" ->
          value.structure("KeyMaterial", TransparentKeys.ofRsaPrivate(material));
      case "TransparentECPublicKey", "TransparentECDSAPublicKey" ->
          value.structure("KeyMaterial", TransparentKeys.ofEcPublic(material));
      case "TransparentECPrivateKey", "TransparentECDSAPrivateKey" ->
          value.structure("KeyMaterial", TransparentKeys.ofEcPrivate(material));
      default -> value.bytes("KeyMaterial", material);
    }
    return value.in("KeyValue");
  }

  /** Returns what is wrapped if the key value is encoded first. */
  byte[] encodedKeyValue() {
    return TtlvWriter.write(keyValue());
  }
}
