package org.keywell.kmip.operation;

import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.ttlv.Value;

/** How requests and responses name objects. */
final class Identifiers {

  /** Of 2.x's ways to refer to an earlier operation of the batch, the one that is supported. */
  private static final int ID_PLACEHOLDER = 1;

  private Identifiers() {}

  /** Takes the object that an operation is about: the named one, or else the batch's. */
  static UUID take(OperationCall<?> call) {
    return switch (call.fields().optional("UniqueIdentifier", Value.class)) {
      case null -> placeholder(call);
      case Value.Text(String text) -> parse(text);
      case Value.Enumerated(int bits) when bits == ID_PLACEHOLDER -> placeholder(call);
      default ->
          throw new KmipException(
              "FeatureNotSupported",
              "objects are named by their identifier or by the ID placeholder");
    };
  }

  private static UUID placeholder(OperationCall<?> call) {
    @Nullable String placeholder = call.batch().idPlaceholder();
    if (placeholder == null) {
      throw new KmipException(
          "ObjectNotFound", "no UniqueIdentifier, and no ID placeholder is set");
    }
    return parse(placeholder);
  }

  /** Reads an identifier. One that this server cannot have given names a missing object. */
  static UUID parse(String text) {
    try {
      UUID id = UUID.fromString(text);
      if (id.toString().equals(text.toLowerCase(Locale.ROOT))) {
        return id;
      }
      throw new IllegalArgumentException("not in full");
    } catch (IllegalArgumentException e) {
      throw new KmipException("ObjectNotFound", "object not found", e);
    }
  }

  /** Begins an answer with the object that it is about. */
  static FieldsBuilder answer(ManagedObject object) {
    return new FieldsBuilder().id("UniqueIdentifier", object.id());
  }
}
