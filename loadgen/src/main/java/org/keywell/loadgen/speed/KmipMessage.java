package org.keywell.loadgen.speed;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/** Requests of KMIP 1.4 with one operation, and their responses. */
final class KmipMessage {
  private static final int MINOR_VERSION = 4;
  private static final Item SUCCESS = Tag.named("ResultStatus").item("Success");

  private KmipMessage() {}

  static byte[] request(String operation, Item... payload) {
    return TtlvWriter.write(
        structure(
            "RequestMessage",
            structure(
                "RequestHeader",
                structure(
                    "ProtocolVersion",
                    integer("ProtocolVersionMajor", 1),
                    integer("ProtocolVersionMinor", MINOR_VERSION)),
                integer("BatchCount", 1)),
            structure(
                "BatchItem",
                Tag.named("Operation").item(operation),
                structure("RequestPayload", payload))));
  }

  /**
   * Returns normally if the operation has succeeded.
   *
   * @throws IOException if it has not; the message has the server's reason
   */
  static void requireSuccess(Item response) throws IOException {
    if (!find(response, "ResultStatus").equals(Optional.of(SUCCESS.value()))) {
      throw new IOException(
          "the operation failed: "
              + find(response, "ResultMessage")
                  .map(text -> text instanceof Value.Text(String said) ? said : text.toString())
                  .orElse("the response says no more"));
    }
  }

  /** Returns the first value with this tag, at any depth. */
  static Optional<Value> find(Item within, String tag) {
    if (within.tag() == Tag.named(tag).number()) {
      return Optional.of(within.value());
    }
    return within.value() instanceof Value.Structure(List<Item> items)
        ? items.stream().flatMap(item -> find(item, tag).stream()).findFirst()
        : Optional.empty();
  }

  /** Returns the identifier under this tag. */
  static String id(Item response, String tag) throws IOException {
    if (find(response, tag).orElse(null) instanceof Value.Text(String id) && !id.isEmpty()) {
      return id;
    }
    throw new IOException("the response has no " + tag);
  }

  static Item id(String id) {
    return Tag.named("UniqueIdentifier").item(new Value.Text(id));
  }

  static Item structure(String tag, Item... items) {
    return Tag.named(tag).item(List.of(items));
  }

  static Item integer(String tag, int value) {
    return Tag.named(tag).item(new Value.Int(value));
  }

  /** Returns an attribute; only the value of {@code value} counts. */
  static Item attribute(String name, Item value) {
    return structure(
        "Attribute",
        Tag.named("AttributeName").item(new Value.Text(name)),
        Tag.named("AttributeValue").item(value.value()));
  }
}
