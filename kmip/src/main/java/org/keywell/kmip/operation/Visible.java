package org.keywell.kmip.operation;

import java.util.List;
import org.keywell.kmip.message.AttributeForm;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.ProtocolVersion;

/** An object's attributes as a client sees them. */
final class Visible {

  private Visible() {}

  /** Returns those that the version has for such objects. */
  static List<AttributeValue> of(ManagedObject object, ProtocolVersion version) {
    AttributeForm form = new AttributeForm(version);
    return object.described().all().stream()
        .filter(each -> form.has(each.name()))
        .filter(each ->
            !(each.name() instanceof AttributeName.Standard(Attribute attribute))
                || attribute.appliesTo(object.type().label(), version))
        .toList();
  }
}
