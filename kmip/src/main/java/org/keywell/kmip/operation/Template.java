package org.keywell.kmip.operation;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.AttributeForm;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.AttributeRules;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Value;

/**
 * The attributes that a client gives for a new object. Refuses with {@link KmipException}.
 *
 * @param version that must have them; null: some are another object's, of whatever version
 */
record Template(Attributes given, @Nullable ProtocolVersion version) {

  /** The server sets these, and yet a client says of what kind a new key is to be. */
  private static final Set<String> KIND =
      Set.of("Cryptographic Algorithm", "Cryptographic Length", "Certificate Type");

  /** Takes it from a payload, if it is there. */
  static Template take(OperationCall<?> call, String tagOf1, String tagOf2) {
    boolean two = call.version().isAtLeast(ProtocolVersion.V2_0);
    Value.@Nullable Structure structure =
        call.fields().optional(two ? tagOf2 : tagOf1, Value.Structure.class);
    return new Template(
        structure == null ? Attributes.NONE : new AttributeForm(call.version()).readAll(structure),
        call.version());
  }

  /** Returns both: the other's values in the place of those that an object has once only. */
  Template with(Template other) {
    Attributes all = Attributes.NONE;
    for (AttributeValue each : given.all()) {
      if (Attributes.isMultiple(each.name()) || other.given.first(each.name()) == null) {
        all = all.add(each.name(), each.value());
      }
    }
    for (AttributeValue each : other.given.all()) {
      if (!all.contains(each.name(), each.value())) {
        all = all.add(each.name(), each.value());
      }
    }
    return new Template(all, version);
  }

  /** Returns the attributes, as far as a client may give them to such an object. */
  Attributes attributes(ObjectType type) {
    for (AttributeValue each : given.all()) {
      AttributeRules.checkGiven(each.name());
      if (version != null) {
        AttributeRules.checkApplies(each.name(), type, version);
      }
      if (each.name() instanceof AttributeName.Standard(Attribute attribute)
          && attribute.setBy() == Attribute.SetBy.SERVER
          && !KIND.contains(attribute.name())) {
        throw new KmipException("AttributeReadOnly", attribute + " is set by the server");
      }
    }
    return given;
  }
}
