package org.keywell.kmip.object;

import java.util.List;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.ProtocolVersion;
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

  // Deeper than a message, whose values these are.
  private static final TtlvReader READER = new TtlvReader(new TtlvLimits(MOST_BYTES, 24, 20_000));

  private StoredAttributes() {}

  static byte[] encode(List<AttributeValue> attributes) {
    Item all =
        Tag.named("Attributes").item(attributes.stream().map(StoredAttributes::item).toList());
    if (TtlvWriter.size(all) > MOST_BYTES) {
      throw new KmipException(
          "ServerLimitExceeded",
          "attributes of one object have at most %d bytes".formatted(MOST_BYTES));
    }
    return TtlvWriter.write(all);
  }

  private static Item item(AttributeValue attribute) {
    FieldsBuilder fields = new FieldsBuilder();
    switch (attribute.name()) {
      case AttributeName.Standard standard -> fields.text("AttributeName", standard.toString());
      case AttributeName.Vendor(String vendor, String name) ->
          fields.text("VendorIdentification", vendor).text("AttributeName", name);
    }
    if (attribute.index() != null) {
      fields.integer("AttributeIndex", attribute.index());
    }
    return fields.add("AttributeValue", attribute.value()).in("Attribute");
  }

  static Attributes decode(byte[] encoded) {
    try {
      Item all = READER.read(encoded);
      return new Attributes(
          structure(all, "Attributes").items().stream()
              .map(each -> attribute(structure(each, "Attribute")))
              .toList());
    } catch (TtlvException | KmipException e) {
      throw new IllegalArgumentException("no stored attributes", e);
    }
  }

  private static Value.Structure structure(Item item, String tag) {
    if (!Tag.nameOf(item.tag()).equals(tag) || !(item.value() instanceof Value.Structure inside)) {
      throw new IllegalArgumentException("not %s, but %s".formatted(tag, Tag.nameOf(item.tag())));
    }
    return inside;
  }

  private static AttributeValue attribute(Value.Structure structure) {
    Fields fields = new Fields("Attribute", structure, ProtocolVersion.V1_4);
    var vendor = fields.optional("VendorIdentification", Value.Text.class);
    String name = fields.required("AttributeName", Value.Text.class).value();
    var index = fields.optional("AttributeIndex", Value.Int.class);
    Value value = fields.required("AttributeValue", Value.class);
    fields.end();
    return new AttributeValue(
        vendor == null ? Attributes.named(name) : new AttributeName.Vendor(vendor.value(), name),
        index == null ? null : (Integer) index.value(),
        value);
  }
}
