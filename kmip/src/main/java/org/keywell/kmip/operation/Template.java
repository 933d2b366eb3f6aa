package org.keywell.kmip.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.AttributeForm;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Value;

/** The attributes that a client gives for a new object. Refuses with {@link KmipException}. */
record Template(List<AttributeValue> given, ProtocolVersion version) {

  /** The server sets these, and yet a client says of what kind a new key is to be. */
  private static final Set<String> KIND =
      Set.of("Cryptographic Algorithm", "Cryptographic Length", "Certificate Type");

  /** Takes it from a payload, if it is there. */
  static Template take(OperationCall<?> call, Fields fields, String tagOf1, String tagOf2) {
    boolean two = call.version().isAtLeast(ProtocolVersion.V2_0);
    Value.@Nullable Structure structure =
        fields.optional(Tag.named(two ? tagOf2 : tagOf1), Value.Structure.class);
    return new Template(
        structure == null ? List.of() : new AttributeForm(call.version()).readAll(structure),
        call.version());
  }

  /** Returns both: the other's values in the place of those that an object has once only. */
  Template with(Template other) {
    List<AttributeValue> all =
        new ArrayList<>(
            given.stream()
                .filter(
                    each -> Attributes.isMultiple(each.name()) || other.value(each.name()) == null)
                .toList());
    other.given.stream()
        .filter(each -> all.stream().noneMatch(one -> isSame(one, each)))
        .forEach(all::add);
    return new Template(all, version);
  }

  private static boolean isSame(AttributeValue one, AttributeValue other) {
    return one.name().equals(other.name()) && one.value().equals(other.value());
  }

  private @Nullable Value value(AttributeName name) {
    return given.stream()
        .filter(each -> each.name().equals(name))
        .map(AttributeValue::value)
        .findFirst()
        .orElse(null);
  }

  @Nullable Value value(String name) {
    return value(Attributes.named(name));
  }

  /** Returns the name of an enumeration's value; null if the attribute is not given. */
  @Nullable String choice(String name, String enumeration) {
    if (!(value(name) instanceof Value.Enumerated(int bits))) {
      return null;
    }
    var choice = Enumerations.valued(enumeration, bits, version);
    if (choice == null) {
      throw new KmipException(ResultReason.INVALID_FIELD, name + " has an unknown value");
    }
    return choice.name();
  }

  /** Returns an integer; 0 if the attribute is not given. */
  int number(String name) {
    return value(name) instanceof Value.Int(int number) ? number : 0;
  }

  /** Returns an integer that must be given. */
  int required(String name) {
    int number = number(name);
    if (number <= 0) {
      throw new KmipException(ResultReason.named("MissingData"), name + " is not given");
    }
    return number;
  }

  /** Returns the attributes, as far as a client may give them to such an object. */
  Attributes attributes(ObjectType type) {
    Attributes attributes = Attributes.NONE;
    for (AttributeValue each : given) {
      if (each.name() instanceof AttributeName.Standard(Attribute attribute)) {
        if (!attribute.appliesTo(type.label(), version)) {
          throw new KmipException(
              ResultReason.named("InvalidAttribute"),
              "%s has no %s".formatted(type.label(), attribute));
        }
        if (attribute.setBy() == Attribute.SetBy.SERVER && !KIND.contains(attribute.name())) {
          throw new KmipException(
              ResultReason.named("AttributeReadOnly"), attribute + " is set by the server");
        }
      }
      attributes = attributes.add(each.name(), each.value());
    }
    return attributes;
  }
}
