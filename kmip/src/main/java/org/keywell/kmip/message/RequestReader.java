package org.keywell.kmip.message;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Reads requests. What it refuses, it refuses whole, before an operation begins. Immutable and
 * thread-safe.
 */
final class RequestReader {

  private static final Tag REQUEST_MESSAGE = Tag.named("RequestMessage");
  private static final Tag REQUEST_HEADER = Tag.named("RequestHeader");
  private static final Tag BATCH_ITEM = Tag.named("BatchItem");
  private static final Tag OPERATION = Tag.named("Operation");
  private static final Tag EPHEMERAL = Tag.named("Ephemeral");
  private static final Tag UNIQUE_BATCH_ITEM_ID = Tag.named("UniqueBatchItemID");
  private static final Tag REQUEST_PAYLOAD = Tag.named("RequestPayload");
  private static final Tag MESSAGE_EXTENSION = Tag.named("MessageExtension");
  private static final Tag CRITICALITY = Tag.named("CriticalityIndicator");

  private final int mostItems;

  RequestReader(MessageLimits limits) {
    mostItems = limits.batchItems();
  }

  /**
   * Returns the version that the request names, supported or not.
   *
   * @throws KmipException if the message is no request, or names none
   */
  static ProtocolVersion version(Item message) {
    if (message.tag() == REQUEST_MESSAGE.number()
        && message.value() instanceof Value.Structure(List<Item> parts)
        && !parts.isEmpty()
        && parts.getFirst().tag() == REQUEST_HEADER.number()
        && parts.getFirst().value() instanceof Value.Structure(List<Item> header)) {
      for (Item each : header) {
        if (each.tag() == VersionField.TAG.number()
            && each.value() instanceof Value.Structure version) {
          return VersionField.read(version);
        }
      }
    }
    throw new KmipException(
        ResultReason.INVALID_MESSAGE,
        "the message is no RequestMessage whose header names a ProtocolVersion");
  }

  /**
   * Reads a request that names this version.
   *
   * @throws KmipException if it is malformed, has too many batch items, or asks for what is not
   *     offered
   */
  Request read(Item message, ProtocolVersion version) {
    if (!version.isSupported()) {
      throw new KmipException(
          ResultReason.named("UnsupportedProtocolVersion"),
          "KMIP %s is not supported".formatted(version));
    }
    Fields fields = new Fields(REQUEST_MESSAGE, (Value.Structure) message.value(), version);
    var header = fields.required(REQUEST_HEADER, Value.Structure.class);
    var batch = fields.repeated(BATCH_ITEM, Value.Structure.class);
    fields.end();
    if (batch.isEmpty()) {
      throw new KmipException(ResultReason.INVALID_MESSAGE, "the request has no batch item");
    }
    if (batch.size() > mostItems) {
      throw new KmipException(
          ResultReason.named("ServerLimitExceeded"),
          "a request may have %d batch items at most".formatted(mostItems));
    }
    RequestHeader read =
        HeaderReader.read(new Fields(REQUEST_HEADER, header, version), batch.size());
    List<RequestItem> items = new ArrayList<>();
    for (Value.Structure each : batch) {
      items.add(item(new Fields(BATCH_ITEM, each, version)));
    }
    requireIds(items);
    return new Request(read, items);
  }

  private static RequestItem item(Fields fields) {
    int operation = fields.required(OPERATION, Value.Enumerated.class).value();
    var ephemeral = fields.optional(EPHEMERAL, Value.Bool.class);
    var id = fields.optional(UNIQUE_BATCH_ITEM_ID, Value.Bytes.class);
    var payload = fields.required(REQUEST_PAYLOAD, Value.Structure.class);
    for (Value.Structure each : fields.repeated(MESSAGE_EXTENSION, Value.Structure.class)) {
      Fields extension = new Fields(MESSAGE_EXTENSION, each, fields.version());
      if (extension.required(CRITICALITY, Value.Bool.class).value()) {
        throw new KmipException(
            ResultReason.named("UnknownMessageExtension"), "no message extension is understood");
      }
    }
    fields.end();
    return new RequestItem(operation, id, ephemeral != null && ephemeral.value(), payload);
  }

  /** Without them, a client could not tell which of its operations an answer is of. */
  private static void requireIds(List<RequestItem> items) {
    if (items.size() == 1) {
      return;
    }
    Set<Value> seen = new HashSet<>();
    for (RequestItem each : items) {
      if (each.id() == null || !seen.add(each.id())) {
        throw new KmipException(
            ResultReason.INVALID_MESSAGE, "each item of a batch needs its own UniqueBatchItemID");
      }
    }
  }
}
