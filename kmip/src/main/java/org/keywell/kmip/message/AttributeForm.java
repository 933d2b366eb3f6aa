package org.keywell.kmip.message;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
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

  private static final Tag ATTRIBUTE = Tag.named("Attribute");
  private static final Tag NAME = Tag.named("AttributeName");
  private static final Tag INDEX = Tag.named("AttributeIndex");
  private static final Tag VALUE = Tag.named("AttributeValue");
  private static final Tag VENDOR = Tag.named("VendorIdentification");
  private static final Tag REFERENCE = Tag.named("AttributeReference");

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
  public List<AttributeValue> readAll(Value.Structure around) {
    List<AttributeValue> all = new ArrayList<>();
    Set<AttributeName> seen = new HashSet<>();
    for (Item each : around.items()) {
      if (named && each.tag() != ATTRIBUTE.number()) {
        throw new KmipException(
            ResultReason.named("ItemNotFound"), "there are no templates to refer to");
      }
      AttributeValue value = read(each);
      all.add(value);
      if (!seen.add(value.name())
          && value.name() instanceof AttributeName.Standard(Attribute attribute)
          && !attribute.multiple()) {
        throw new KmipException(
            ResultReason.named("AttributeSingleValued"), attribute + " may have one value only");
      }
    }
    return all;
  }

  /** Reads one attribute. */
  public AttributeValue read(Item item) {
    if (item.tag() != ATTRIBUTE.number()) {
      AttributeName.Standard name = standard(Attribute.tagged(item.tag()), item.tag());
      return new AttributeValue(name, null, checked(name.attribute(), item.value()));
    }
    if (!(item.value() instanceof Value.Structure structure)) {
      throw new KmipException(ResultReason.INVALID_MESSAGE, "Attribute must be a Structure");
    }
    Fields fields = new Fields(ATTRIBUTE, structure, version);
    AttributeName name = name(fields);
    var index = named ? fields.optional(INDEX, Value.Int.class) : null;
    Value value = fields.required(VALUE, Value.class);
    fields.end();
    if (index != null && index.value() < 0) {
      throw new KmipException(ResultReason.INVALID_FIELD, "AttributeIndex is negative");
    }
    if (name instanceof AttributeName.Standard(Attribute attribute)) {
      checked(attribute, value);
    }
    return new AttributeValue(name, index == null ? null : (Integer) index.value(), value);
  }

  /** Reads {@code AttributeName}, or {@code AttributeReference} in 2.x. */
  public AttributeName readName(Value value) {
    return switch (value) {
      case Value.Text(String name) when named -> name(name);
      case Value.Enumerated(int tag) when !named -> standard(Attribute.tagged(tag), tag);
      case Value.Structure structure when !named -> {
        Fields fields = new Fields(REFERENCE, structure, version);
        AttributeName name = name(fields);
        fields.end();
        yield name;
      }
      default ->
          throw new KmipException(
              ResultReason.INVALID_MESSAGE,
              "an attribute's name must not be a " + ItemType.of(value).label());
    };
  }

  private AttributeName name(Fields fields) {
    if (named) {
      return name(fields.required(NAME, Value.Text.class).value());
    }
    String vendor = fields.required(VENDOR, Value.Text.class).value();
    return new AttributeName.Vendor(vendor, fields.required(NAME, Value.Text.class).value());
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
          ResultReason.named("InvalidAttribute"),
          tag == 0
              ? "there is no attribute of this name"
              : "%s is no attribute of KMIP %s".formatted(Tag.nameOf(tag), version));
    }
    return new AttributeName.Standard(attribute);
  }

  private Value checked(Attribute attribute, Value value) {
    Tag tag = attribute.tag();
    if (!tag.types().contains(ItemType.of(value))) {
      throw new KmipException(
          ResultReason.named("InvalidDataType"),
          "%s must not be a %s".formatted(attribute, ItemType.of(value).label()));
    }
    if (value instanceof Value.Enumerated(int bits)
        && bits >= 0
        && tag.enumeration() != null
        && Enumerations.valued(tag.enumeration(), bits, version) == null) {
      throw new KmipException(
          ResultReason.named("InvalidAttributeValue"),
          "%s has no value %08X".formatted(attribute, bits));
    }
    return value;
  }

  /** Tells whether the version has this attribute, so that it can be written. */
  public boolean has(AttributeName name) {
    return switch (name) {
      case AttributeName.Standard(Attribute attribute) -> attribute.span().includes(version);
      case AttributeName.Vendor vendor -> !named || vendor.isCustom();
    };
  }

  /** Writes one attribute, which the version must have. */
  public Item write(AttributeValue attribute) {
    AttributeName name = attribute.name();
    if (!named && name instanceof AttributeName.Standard(Attribute standard)) {
      return standard.tag().item(attribute.value());
    }
    List<Item> fields = new ArrayList<>(names(name));
    if (named && attribute.index() != null) {
      fields.add(INDEX.item(new Value.Int(attribute.index())));
    }
    fields.add(VALUE.item(attribute.value()));
    return ATTRIBUTE.item(fields);
  }

  /** Writes {@code AttributeName}, or {@code AttributeReference} in 2.x. */
  public Item writeName(AttributeName name) {
    if (named) {
      return names(name).getFirst();
    }
    return name instanceof AttributeName.Standard(Attribute attribute)
        ? REFERENCE.item(new Value.Enumerated(attribute.tag().number()))
        : REFERENCE.item(names(name));
  }

  private List<Item> names(AttributeName name) {
    if (!named && name instanceof AttributeName.Vendor(String vendor, String own)) {
      return List.of(VENDOR.item(new Value.Text(vendor)), NAME.item(new Value.Text(own)));
    }
    return List.of(NAME.item(new Value.Text(name.toString())));
  }
}
