package org.keywell.kmip.operation;

import org.keywell.kmip.message.Fields;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Object types in messages. */
final class ObjectTypes {

  private static final Tag OBJECT_TYPE = Tag.named("ObjectType");

  private ObjectTypes() {}

  static ObjectType take(Fields fields) {
    return ObjectType.valued(fields.required(OBJECT_TYPE, Value.Enumerated.class).value());
  }

  static Item item(ObjectType type) {
    return OBJECT_TYPE.item(type.attribute());
  }
}
