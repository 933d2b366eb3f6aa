package org.keywell.kmip.operation;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** The attribute {@code Link}: a type, and another object. */
final class Links {

  private static final String TO = "LinkedObjectIdentifier";

  private Links() {}

  /** Returns attributes with a link to another object. */
  static Attributes add(Attributes from, String type, UUID to) {
    var link = new FieldsBuilder().choice("LinkType", type).id(TO, to);
    return from.add(Attributes.named("Link"), new Value.Structure(link.items()));
  }

  /** As above, an object. */
  static ManagedObject add(ManagedObject from, String type, UUID to) {
    return from.with(add(from.attributes(), type, to));
  }

  /** Returns the first object that this one has such a link to; null if there is none. */
  static @Nullable UUID find(ManagedObject from, String type) {
    Item wanted = Tag.named("LinkType").item(type);
    for (AttributeValue link : from.attributes().get(Attributes.named("Link"))) {
      if (link.value() instanceof Value.Structure(List<Item> items) && items.contains(wanted)) {
        for (Item item : items) {
          if (item.tag() == Tag.named(TO).number()
              && item.value() instanceof Value.Text(String to)) {
            return Identifiers.parse(to);
          }
        }
      }
    }
    return null;
  }
}
