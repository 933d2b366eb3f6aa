package org.keywell.kmip.client;

import java.util.List;
import java.util.Optional;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/**
 * Requests with one operation, and values in their responses. A name that the tables do not have is
 * refused with {@link IllegalArgumentException}.
 */
public final class Messages {

  private Messages() {}

  /** Returns a request as it is sent. */
  public static byte[] request(ProtocolVersion version, String operation, Item... payload) {
    return TtlvWriter.write(
        structure(
            "RequestMessage",
            structure(
                "RequestHeader",
                structure(
                    "ProtocolVersion",
                    integer("ProtocolVersionMajor", version.major()),
                    integer("ProtocolVersionMinor", version.minor())),
                integer("BatchCount", 1)),
            structure(
                "BatchItem",
                Tag.named("Operation").item(operation),
                structure("RequestPayload", payload))));
  }

  /** Returns the first value with this tag, at any depth. */
  public static Optional<Value> find(Item within, String tag) {
    return find(within, Tag.named(tag).number());
  }

  private static Optional<Value> find(Item within, int tag) {
    if (within.tag() == tag) {
      return Optional.of(within.value());
    }
    return within.value() instanceof Value.Structure(List<Item> items)
        ? items.stream().flatMap(item -> find(item, tag).stream()).findFirst()
        : Optional.empty();
  }

  public static Item structure(String tag, Item... items) {
    return Tag.named(tag).item(List.of(items));
  }

  public static Item integer(String tag, int value) {
    return Tag.named(tag).item(new Value.Int(value));
  }

  public static Item text(String tag, String value) {
    return Tag.named(tag).item(new Value.Text(value));
  }

  /** Returns an attribute as KMIP 1.x has it; only the value of {@code value} counts. */
  public static Item attribute(String name, Item value) {
    return structure(
        "Attribute", text("AttributeName", name), Tag.named("AttributeValue").item(value.value()));
  }
}
