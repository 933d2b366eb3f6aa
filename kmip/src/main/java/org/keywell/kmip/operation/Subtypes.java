package org.keywell.kmip.operation;

import java.util.Objects;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** What KMIP 1.x says of an object in its structure only, kept as attributes of ours. */
final class Subtypes {

  /** Servers' attributes, which clients do not change. */
  static final AttributeName SECRET_DATA_TYPE = new AttributeName.Vendor("y", "Secret Data Type");

  static final AttributeName OPAQUE_DATA_TYPE = new AttributeName.Vendor("y", "Opaque Data Type");

  private Subtypes() {}

  static Item secretData(ManagedObject object) {
    return Tag.named("SecretDataType").item(value(object, SECRET_DATA_TYPE));
  }

  static Item opaqueData(ManagedObject object) {
    return Tag.named("OpaqueDataType").item(value(object, OPAQUE_DATA_TYPE));
  }

  private static Value value(ManagedObject object, AttributeName name) {
    return Objects.requireNonNull(object.attributes().first(name));
  }
}
