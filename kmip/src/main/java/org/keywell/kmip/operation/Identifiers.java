package org.keywell.kmip.operation;

import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** How requests name objects. */
final class Identifiers {

  private static final Tag UNIQUE_IDENTIFIER = Tag.named("UniqueIdentifier");

  /** Of 2.x's ways to refer to an earlier operation of the batch, the one that is supported. */
  private static final int ID_PLACEHOLDER = 1;

  private Identifiers() {}

  /** Takes the object that an operation is about: the named one, or else the batch's. */
  static UUID take(OperationCall<?> call, Fields fields) {
    return switch (fields.optional(UNIQUE_IDENTIFIER, Value.class)) {
      case null -> placeholder(call);
      case Value.Text(String text) -> parse(text);
      case Value.Enumerated(int bits) when bits == ID_PLACEHOLDER -> placeholder(call);
      default ->
          throw new KmipException(
              ResultReason.FEATURE_NOT_SUPPORTED,
              "objects are named by their identifier or by the ID placeholder");
    };
  }

  private static UUID placeholder(OperationCall<?> call) {
    @Nullable String placeholder = call.batch().idPlaceholder();
    if (placeholder == null) {
      throw new KmipException(
          ResultReason.named("ObjectNotFound"),
          "no UniqueIdentifier, and no ID placeholder is set");
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
    } catch (IllegalArgumentException e) {
      throw missing(e);
    }
    throw missing(null);
  }

  private static KmipException missing(@Nullable Throwable cause) {
    KmipException missing =
        new KmipException(ResultReason.named("ObjectNotFound"), "object not found");
    missing.initCause(cause);
    return missing;
  }

  static Item item(UUID id) {
    return item("UniqueIdentifier", id);
  }

  static Item item(String tag, UUID id) {
    return Tag.named(tag).item(new Value.Text(id.toString()));
  }
}
