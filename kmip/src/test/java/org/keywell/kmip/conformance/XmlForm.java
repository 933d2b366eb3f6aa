package org.keywell.kmip.conformance;

import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.ItemType;
import org.keywell.kmip.ttlv.Value;
import org.w3c.dom.Element;

/**
 * KMIP's XML form, read with our tables. All methods throw {@link IllegalArgumentException} for
 * what the tables do not know.
 */
final class XmlForm {

  private static final HexFormat HEX = HexFormat.of();

  private XmlForm() {}

  /** Returns what an element says. */
  static Item item(Element element) {
    if (element.getTagName().equals("TTLV")) {
      return new Item(
          Integer.decode(element.getAttribute("tag")), value(element, type(element), null));
    }
    Tag tag = Tag.named(element.getTagName());
    ItemType type = type(element);
    if (!tag.types().contains(type)) {
      throw new IllegalArgumentException(tag + " is no " + type);
    }
    return tag.item(value(element, type, enumeration(element, tag)));
  }

  private static ItemType type(Element element) {
    String type = element.getAttribute("type");
    return type.isEmpty() ? ItemType.STRUCTURE : ItemType.labelled(type);
  }

  /** An attribute's value is of the enumeration of that attribute. */
  private static @Nullable String enumeration(Element element, Tag tag) {
    if (tag.name().equals("AttributeValue")) {
      for (Element each : CaseFile.children((Element) element.getParentNode())) {
        Attribute attribute = Attribute.named(each.getAttribute("value"));
        if (each.getTagName().equals("AttributeName") && attribute != null) {
          return attribute.tag().enumeration();
        }
      }
    }
    return tag.enumeration();
  }

  private static Value value(Element element, ItemType type, @Nullable String enumeration) {
    String text = element.getAttribute("value");
    return switch (type) {
      case STRUCTURE ->
          new Value.Structure(CaseFile.children(element).stream().map(XmlForm::item).toList());
      case INTEGER ->
          new Value.Int(text.matches("-?\\d+") ? Integer.parseInt(text) : mask(text, enumeration));
      case LONG_INTEGER -> new Value.LongInt(Long.parseLong(text));
      case BIG_INTEGER -> new Value.BigInt(new BigInteger(HEX.parseHex(text)));
      case ENUMERATION -> new Value.Enumerated(bits(text, enumeration));
      case BOOLEAN -> new Value.Bool(Boolean.parseBoolean(text));
      case TEXT_STRING -> new Value.Text(text);
      case BYTE_STRING -> new Value.Bytes(HEX.parseHex(text));
      case DATE_TIME -> new Value.DateTime(OffsetDateTime.parse(text).toEpochSecond());
      case INTERVAL -> new Value.Interval(Long.parseLong(text));
      case DATE_TIME_EXTENDED -> throw new IllegalArgumentException("not in KMIP 1.x");
    };
  }

  private static int mask(String text, @Nullable String enumeration) {
    int mask = 0;
    for (String each : text.strip().split("\\s+", -1)) {
      mask |= bits(each, enumeration);
    }
    return mask;
  }

  private static int bits(String text, @Nullable String enumeration) {
    return text.startsWith("0x")
        ? Integer.parseUnsignedInt(text.substring(2), 16)
        : "Tag".equals(enumeration)
            ? Tag.named(text).number()
            : Enumerations.named(String.valueOf(enumeration), text).bits();
  }

  /** Returns an element in one form: masks in an order, times in UTC, numbers in one case. */
  static String words(Element element) {
    String name = element.getTagName();
    if (name.equals("TTLV")) {
      name = element.getAttribute("tag").substring(2).toUpperCase(Locale.ROOT);
    }
    ItemType type = type(element);
    if (type == ItemType.STRUCTURE) {
      return structure(name, CaseFile.children(element).stream().map(XmlForm::words).toList());
    }
    String text = element.getAttribute("value");
    return word(
        name,
        type,
        switch (type) {
          case INTEGER ->
              text.matches("-?\\d+") ? text : names(Set.of(text.strip().split("\\s+", -1)));
          case BIG_INTEGER -> new BigInteger(HEX.parseHex(text)).toString();
          case BYTE_STRING -> text.toLowerCase(Locale.ROOT);
          case DATE_TIME -> OffsetDateTime.parse(text).toInstant().toString();
          default -> text;
        });
  }

  /** Returns an item in the form of {@link #words(Element)}, with the names of our tables. */
  static String words(Item item, Element like) {
    String name = Tag.nameOf(item.tag());
    Tag tag = Tag.numbered(item.tag());
    String enumeration = tag == null ? null : enumeration(like, tag);
    return switch (item.value()) {
      case Value.Structure(List<Item> items) -> {
        List<Element> elements = CaseFile.children(like);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
          words.add(words(items.get(i), elements.get(Math.min(i, elements.size() - 1))));
        }
        yield structure(name, words);
      }
      case Value.Int(int value) when isMask(like) ->
          word(name, ItemType.INTEGER, names(maskNames(value, enumeration)));
      case Value.Int(int value) -> word(name, ItemType.INTEGER, String.valueOf(value));
      case Value.LongInt(long value) -> word(name, ItemType.LONG_INTEGER, String.valueOf(value));
      case Value.BigInt(BigInteger value) -> word(name, ItemType.BIG_INTEGER, value.toString());
      case Value.Enumerated(int value) ->
          word(name, ItemType.ENUMERATION, enumerated(value, enumeration));
      case Value.Bool(boolean value) -> word(name, ItemType.BOOLEAN, String.valueOf(value));
      case Value.Text(String value) -> word(name, ItemType.TEXT_STRING, value);
      case Value.Bytes(byte[] value) -> word(name, ItemType.BYTE_STRING, HEX.formatHex(value));
      case Value.DateTime(long seconds) ->
          word(name, ItemType.DATE_TIME, Instant.ofEpochSecond(seconds).toString());
      case Value.Interval(long seconds) -> word(name, ItemType.INTERVAL, String.valueOf(seconds));
      case Value.DateTimeExtended _ -> throw new IllegalArgumentException("not in KMIP 1.x");
    };
  }

  private static boolean isMask(Element like) {
    return !like.getAttribute("value").matches("-?\\d+");
  }

  private static String enumerated(int value, @Nullable String enumeration) {
    if (value < 0) {
      return "0x%08X".formatted(value);
    }
    if ("Tag".equals(enumeration)) {
      return Tag.nameOf(value);
    }
    return Enumerations.of(String.valueOf(enumeration)).stream()
        .filter(each -> each.bits() == value)
        .findFirst()
        .orElseThrow(IllegalArgumentException::new)
        .name();
  }

  private static Set<String> maskNames(int mask, @Nullable String enumeration) {
    return Enumerations.of(String.valueOf(enumeration)).stream()
        .filter(each -> (mask & each.bits()) != 0)
        .map(Enumerations.Named::name)
        .collect(Collectors.toSet());
  }

  private static String names(Set<String> names) {
    return String.join(" ", new TreeSet<>(names));
  }

  private static String word(String name, ItemType type, String value) {
    return "%s:%s=%s".formatted(name, type.label(), value);
  }

  private static String structure(String name, List<String> words) {
    return words.stream().collect(Collectors.joining("\n", name + "(", ")"));
  }
}
