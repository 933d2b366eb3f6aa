package org.keywell.kmip.object;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.ItemType;
import org.keywell.kmip.ttlv.Value;

/**
 * How a version writes attributes: in 1.x each is a structure of name, index and value; in 2.x a
 * value under the attribute's tag. Immutable and thread-safe. What it reads is refused with {@link
 * KmipException}.
 */
public final class AttributeForm {

  private final ProtocolVersion version;
  private final boolean named;

  public AttributeForm(ProtocolVersion version) {
    this.version = version;
    this.named = !version.isAtLeast(ProtocolVersion.V2_0);
  }

  /**
   * Reads all attributes of a structure like {@code TemplateAttribute} or {@code Attributes}.
   * Templates, which 1.x can refer to by their names there, do not exist.
   */
  public Attributes readAll(Value.Structure around) {
    Attributes all = Attributes.NONE;
    for (Item each : around.items()) {
      if (named && !isAttribute(each)) {
        throw new KmipException("ItemNotFound", "there are no templates to refer to");
      }
      AttributeValue value = read(each);
      all = all.add(value.name(), value.value());
    }
    return all;
  }

  private static boolean isAttribute(Item item) {
    return item.tag() == Tag.named("Attribute").number();
  }

  /** Reads one attribute. */
  public AttributeValue read(Item item) {
    if (!isAttribute(item)) {
      AttributeName.Standard name = standard(Attribute.tagged(item.tag()), item.tag());
      return new AttributeValue(name, null, checked(name, item.value()));
    }
    if (!(item.value() instanceof Value.Structure structure)) {
      throw new KmipException("InvalidMessage", "Attribute must be a Structure");
    }
    Fields fields = new Fields("Attribute", structure, version);
    AttributeName name = name(fields);
    var index = named ? fields.optional("AttributeIndex", Value.Int.class) : null;
    Value value = fields.required("AttributeValue", Value.class);
    fields.end();
    if (index != null && index.value() < 0) {
      throw new KmipException("InvalidField", "AttributeIndex is negative");
    }
    return new AttributeValue(
        name, index == null ? null : (Integer) index.value(), checked(name, value));
  }

  /** Reads {@code AttributeName}, or {@code AttributeReference} in 2.x. */
  public AttributeName readName(Value value) {
    return switch (value) {
      case Value.Text(String name) when named -> name(name);
      case Value.Enumerated(int tag) when !named -> standard(Attribute.tagged(tag), tag);
      case Value.Structure structure when !named -> {
        Fields fields = new Fields("AttributeReference", structure, version);
        AttributeName name = name(fields);
        fields.end();
        yield name;
      }
      default ->
          throw new KmipException(
              "InvalidMessage", "an attribute's name must not be a " + ItemType.of(value).label());
    };
  }

  private AttributeName name(Fields fields) {
    String vendor = named ? "" : fields.required("VendorIdentification", Value.Text.class).value();
    String name = fields.required("AttributeName", Value.Text.class).value();
    return named ? name(name) : new AttributeName.Vendor(vendor, name);
  }

  private AttributeName name(String text) {
    if (text.startsWith("x-") || text.startsWith("y-")) {
      return new AttributeName.Vendor(text.substring(0, 1), text.substring(2));
    }
    Attribute attribute = Attribute.named(text);
    return standard(attribute, attribute == null ? 0 : attribute.tag().number());
  }

  private AttributeName.Standard standard(@Nullable Attribute attribute, int tag) {
    if (attribute == null || !attribute.span().includes(version)) {
      throw new KmipException(
          "InvalidAttribute",
          tag == 0
              ? "there is no attribute of this name"
              : "%s is no attribute of KMIP %s".formatted(Tag.nameOf(tag), version));
    }
    return new AttributeName.Standard(attribute);
  }

  private Value checked(AttributeName name, Value value) {
    if (!(name instanceof AttributeName.Standard(Attribute attribute))) {
      return value;
    }
    Tag tag = attribute.tag();
    if (!tag.types().contains(ItemType.of(value))) {
      throw new KmipException(
          "InvalidDataType",
          "%s must not be a %s".formatted(attribute, ItemType.of(value).label()));
    }
    if (value instanceof Value.Enumerated(int bits)
        && bits >= 0
        && tag.enumeration() != null
        && Enumerations.valued(tag.enumeration(), bits, version) == null) {
      throw new KmipException(
          "InvalidAttributeValue", "%s has no value %08X".formatted(attribute, bits));
    }
    return value;
  }

  /** Returns an object's attributes, as far as the version has them for such objects. */
  public List<AttributeValue> visible(ManagedObject object) {
    return object.described().all().stream()
        .filter(each ->
            switch (each.name()) {
              case AttributeName.Standard(Attribute attribute) ->
                  AttributeRules.isKept(each.name())
                      && attribute.appliesTo(object.type().label(), version);
              case AttributeName.Vendor vendor -> named ? vendor.isCustom() : !vendor.isServers();
            })
        .toList();
  }

  /** Writes one attribute, which the version must have. */
  public Item write(AttributeValue attribute) {
    AttributeName name = attribute.name();
    if (!named && name instanceof AttributeName.Standard(Attribute standard)) {
      return standard.tag().item(attribute.value());
    }
    FieldsBuilder fields = names(name);
    if (named && attribute.index() != null) {
      fields.integer("AttributeIndex", attribute.index());
    }
    return fields.add("AttributeValue", attribute.value()).in("Attribute");
  }

  /** Writes {@code AttributeName}, or {@code AttributeReference} in 2.x. */
  public Item writeName(AttributeName name) {
    if (named) {
      return names(name).items().getFirst();
    }
    return name instanceof AttributeName.Standard(Attribute attribute)
        ? Tag.named("AttributeReference").item(new Value.Enumerated(attribute.tag().number()))
        : names(name).in("AttributeReference");
  }

  private FieldsBuilder names(AttributeName name) {
    return !named && name instanceof AttributeName.Vendor(String vendor, String own)
        ? new FieldsBuilder().text("VendorIdentification", vendor).text("AttributeName", own)
        : new FieldsBuilder().text("AttributeName", name.toString());
  }
}
