package org.keywell.kmip.operation;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** The attribute {@code Link}: a type, and another object. */
final class Links {

  private static final Tag TYPE = Tag.named("LinkType");
  private static final Tag TO = Tag.named("LinkedObjectIdentifier");

  private Links() {}

  static Value value(String type, UUID to) {
    return new Value.Structure(List.of(TYPE.item(type), TO.item(new Value.Text(to.toString()))));
  }

  /** Returns the first object that this one has such a link to. */
  static Optional<UUID> find(ManagedObject from, String type) {
    Item wanted = TYPE.item(type);
    return from.attributes().get(Attributes.named("Link")).stream()
        .map(AttributeValue::value)
        .filter(link -> link instanceof Value.Structure(List<Item> items) && items.contains(wanted))
        .flatMap(link -> ((Value.Structure) link).items().stream())
        .filter(item -> item.tag() == TO.number())
        .map(item -> Identifiers.parse(((Value.Text) item.value()).value()))
        .findFirst();
  }
}
