package org.keywell.kmip.operation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/**
 * A key in a message (KMIP, section "Key Block").
 *
 * @param format of the enumeration {@code KeyFormatType}
 * @param material in that format, or wrapped
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

  private static final Tag KEY_BLOCK = Tag.named("KeyBlock");
  private static final Tag FORMAT = Tag.named("KeyFormatType");
  private static final Tag COMPRESSION = Tag.named("KeyCompressionType");
  private static final Tag KEY_VALUE = Tag.named("KeyValue");
  private static final Tag MATERIAL = Tag.named("KeyMaterial");
  private static final Tag KEY = Tag.named("Key");
  private static final Tag ALGORITHM = Tag.named("CryptographicAlgorithm");
  private static final Tag LENGTH = Tag.named("CryptographicLength");
  private static final Tag WRAPPING = Tag.named("KeyWrappingData");
  private static final Tag ATTRIBUTE = Tag.named("Attribute");
  private static final Tag ATTRIBUTES = Tag.named("Attributes");

  private static final String TRANSPARENT = "TransparentSymmetricKey";

  /** Takes the block of an object's structure. Transparent symmetric keys become raw ones. */
  static KeyBlock take(Fields object, ProtocolVersion version) {
    Fields block =
        new Fields(KEY_BLOCK, object.required(KEY_BLOCK, Value.Structure.class), version);
    String format = name(FORMAT, block.required(FORMAT, Value.Enumerated.class), version);
    if (block.optional(COMPRESSION, Value.Enumerated.class) != null) {
      throw new KmipException(
          ResultReason.named("KeyCompressionTypeNotSupported"), "keys are not compressed here");
    }
    Value value = block.required(KEY_VALUE, Value.class);
    Value.@Nullable Enumerated algorithm = block.optional(ALGORITHM, Value.Enumerated.class);
    Value.@Nullable Int length = block.optional(LENGTH, Value.Int.class);
    Value.@Nullable Structure wrapping = block.optional(WRAPPING, Value.Structure.class);
    block.end();
    boolean transparent = format.equals(TRANSPARENT);
    return new KeyBlock(
        transparent ? "Raw" : format,
        material(value, transparent, wrapping != null, version),
        algorithm == null ? null : name(ALGORITHM, algorithm, version),
        length == null ? 0 : length.value(),
        wrapping);
  }

  private static byte[] material(
      Value value, boolean transparent, boolean wrapped, ProtocolVersion version) {
    if (wrapped && value instanceof Value.Bytes) {
      return bytes(value);
    }
    if (!(value instanceof Value.Structure structure)) {
      throw new KmipException(ResultReason.INVALID_MESSAGE, "KeyValue must be a Structure");
    }
    Fields fields = new Fields(KEY_VALUE, structure, version);
    Value material = fields.required(MATERIAL, Value.class);
    // Attributes beside the material say nothing that a template would not say.
    List<Value> _ = fields.repeated(ATTRIBUTE, Value.class);
    if (version.isAtLeast(ProtocolVersion.V2_0)) {
      List<Value> _ = fields.repeated(ATTRIBUTES, Value.class);
    }
    fields.end();
    if (transparent && material instanceof Value.Structure parts) {
      return new Fields(MATERIAL, parts, version).required(KEY, Value.Bytes.class).value();
    }
    return bytes(material);
  }

  private static byte[] bytes(Value value) {
    if (value instanceof Value.Bytes bytes) {
      return bytes.value();
    }
    throw new KmipException(
        ResultReason.named("KeyFormatTypeNotSupported"), "key material must be a ByteString");
  }

  static String name(Tag tag, Value.Enumerated value, ProtocolVersion version) {
    var named = Enumerations.valued(String.valueOf(tag.enumeration()), value.value(), version);
    if (named == null) {
      throw new KmipException(ResultReason.INVALID_FIELD, tag + " has an unknown value");
    }
    return named.name();
  }

  /** Returns the block as an item. */
  Item item() {
    List<Item> fields = new ArrayList<>();
    fields.add(FORMAT.item(format));
    fields.add(
        wrapping == null ? keyValue(format, material) : KEY_VALUE.item(new Value.Bytes(material)));
    if (algorithm != null) {
      fields.add(ALGORITHM.item(algorithm));
    }
    if (bits > 0) {
      fields.add(LENGTH.item(new Value.Int(bits)));
    }
    if (wrapping != null) {
      fields.add(WRAPPING.item(wrapping));
    }
    return KEY_BLOCK.item(fields);
  }

  private static Item keyValue(String format, byte[] material) {
    Value bytes = new Value.Bytes(material);
    return KEY_VALUE.item(
        List.of(
            format.equals(TRANSPARENT)
                ? MATERIAL.item(List.of(KEY.item(bytes)))
                : MATERIAL.item(bytes)));
  }

  /** Returns what is wrapped if the key value is encoded first. */
  byte[] encodedKeyValue() {
    return TtlvWriter.write(keyValue(format, material));
  }
}
