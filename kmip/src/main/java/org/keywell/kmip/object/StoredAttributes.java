package org.keywell.kmip.object;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvException;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/**
 * Attributes as TTLV, in the form of no version, since none has them all: 1.x lacks other vendors'
 * and those of 2.x, which lacks indices.
 */
final class StoredAttributes {

  static final int MOST_BYTES = 64 << 10;

  private static final Tag ALL = Tag.named("Attributes");
  private static final Tag ONE = Tag.named("Attribute");
  private static final Tag VENDOR = Tag.named("VendorIdentification");
  private static final Tag NAME = Tag.named("AttributeName");
  private static final Tag INDEX = Tag.named("AttributeIndex");
  private static final Tag VALUE = Tag.named("AttributeValue");

  // Deeper than a message, whose values these are.
  private static final TtlvReader READER = new TtlvReader(new TtlvLimits(MOST_BYTES, 24, 20_000));

  private StoredAttributes() {}

  static byte[] encode(List<AttributeValue> attributes) {
    Item all = ALL.item(attributes.stream().map(StoredAttributes::item).toList());
    if (TtlvWriter.size(all) > MOST_BYTES) {
      throw new KmipException(
          ResultReason.named("ServerLimitExceeded"),
          "attributes of one object have at most %d bytes".formatted(MOST_BYTES));
    }
    return TtlvWriter.write(all);
  }

  private static Item item(AttributeValue attribute) {
    List<Item> fields = new ArrayList<>();
    switch (attribute.name()) {
      case AttributeName.Standard standard ->
          fields.add(NAME.item(new Value.Text(standard.attribute().name())));
      case AttributeName.Vendor(String vendor, String name) -> {
        fields.add(VENDOR.item(new Value.Text(vendor)));
        fields.add(NAME.item(new Value.Text(name)));
      }
    }
    if (attribute.index() != null) {
      fields.add(INDEX.item(new Value.Int(attribute.index())));
    }
    fields.add(VALUE.item(attribute.value()));
    return ONE.item(fields);
  }

  static Attributes decode(byte[] encoded) {
    try {
      List<AttributeValue> attributes = new ArrayList<>();
      Item all = READER.read(encoded);
      for (Item each : structure(all, ALL).items()) {
        attributes.add(attribute(structure(each, ONE)));
      }
      return Attributes.indexed(attributes);
    } catch (TtlvException | KmipException e) {
      throw new IllegalArgumentException("no stored attributes", e);
    }
  }

  private static Value.Structure structure(Item item, Tag tag) {
    if (item.tag() != tag.number() || !(item.value() instanceof Value.Structure structure)) {
      throw new IllegalArgumentException("not %s, but %s".formatted(tag, Tag.nameOf(item.tag())));
    }
    return structure;
  }

  private static AttributeValue attribute(Value.Structure structure) {
    Fields fields = new Fields(ONE, structure, ProtocolVersion.V1_4);
    AttributeName name =
        name(
            fields.optional(VENDOR, Value.Text.class),
            fields.required(NAME, Value.Text.class).value());
    Value.Int index = fields.optional(INDEX, Value.Int.class);
    Value value = fields.required(VALUE, Value.class);
    fields.end();
    return new AttributeValue(name, index == null ? null : (Integer) index.value(), value);
  }

  private static AttributeName name(Value.@Nullable Text vendor, String name) {
    return vendor == null ? Attributes.named(name) : new AttributeName.Vendor(vendor.value(), name);
  }
}
