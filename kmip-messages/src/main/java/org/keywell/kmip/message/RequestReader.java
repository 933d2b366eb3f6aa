package org.keywell.kmip.message;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * Reads requests. What it refuses, it refuses whole, before an operation begins: also what is
 * optional for servers and not offered here. Immutable and thread-safe.
 */
final class RequestReader {

  private static final String MESSAGE = "RequestMessage";
  private static final String HEADER = "RequestHeader";

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
    if (message.tag() == Tag.named(MESSAGE).number()
        && message.value() instanceof Value.Structure(List<Item> parts)
        && !parts.isEmpty()
        && parts.getFirst().tag() == Tag.named(HEADER).number()
        && parts.getFirst().value() instanceof Value.Structure(List<Item> header)) {
      for (Item each : header) {
        if (each.tag() == Tag.named(VersionField.TAG).number()
            && each.value() instanceof Value.Structure version) {
          return VersionField.read(version);
        }
      }
    }
    throw new KmipException(
        "InvalidMessage", "the message is no RequestMessage whose header names a ProtocolVersion");
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
          "UnsupportedProtocolVersion", "KMIP %s is not supported".formatted(version));
    }
    Fields fields = new Fields(MESSAGE, (Value.Structure) message.value(), version);
    Fields header = fields.inside(HEADER);
    var batch = fields.repeated("BatchItem", Value.Structure.class);
    fields.end();
    if (batch.isEmpty()) {
      throw new KmipException("InvalidMessage", "the request has no batch item");
    }
    if (batch.size() > mostItems) {
      throw new KmipException(
          "ServerLimitExceeded", "a request may have %s batch items at most".formatted(mostItems));
    }
    Request.Header read = header(header, batch.size());
    List<Request.BatchItem> items =
        batch.stream().map(each -> item(new Fields("BatchItem", each, version))).toList();
    requireIds(items);
    return new Request(read, items);
  }

  private static Request.Header header(Fields fields, int items) {
    fields.required(VersionField.TAG, Value.Structure.class);
    var size = fields.optional("MaximumResponseSize", Value.Int.class);
    fields.optional("ClientCorrelationValue", Value.Text.class);
    fields.optional("ServerCorrelationValue", Value.Text.class);
    refuseAsynchronous(fields);
    fields.optional("AttestationCapableIndicator", Value.Bool.class);
    fields.repeated("AttestationType", Value.Enumerated.class);
    var authentication = fields.optional("Authentication", Value.Structure.class);
    @Nullable String onError = fields.choiceIfAny("BatchErrorContinuationOption");
    if ("Undo".equals(onError)) {
      throw new KmipException("FeatureNotSupported", "operations of a batch cannot be undone");
    }
    // Operations are done in their order, whether the client insists on it or not.
    fields.optional("BatchOrderOption", Value.Bool.class);
    fields.optional("TimeStamp", Value.DateTime.class);
    int count = fields.number("BatchCount");
    fields.end();
    if (count != items) {
      throw new KmipException(
          "InvalidMessage",
          "BatchCount is %s, but there are %s batch items".formatted(count, items));
    }
    if (size != null && size.value() < 0) {
      throw new KmipException("InvalidField", "MaximumResponseSize is negative");
    }
    return new Request.Header(
        fields.version(),
        size == null ? null : size.value(),
        authentication,
        "Continue".equals(onError));
  }

  /** A client that merely accepts to wait gets its answer at once. */
  private static void refuseAsynchronous(Fields fields) {
    if (!fields.version().isAtLeast(ProtocolVersion.V2_0)) {
      fields.optional("AsynchronousIndicator", Value.Bool.class);
    } else if ("Mandatory".equals(fields.choiceIfAny("AsynchronousIndicator"))) {
      throw new KmipException("FeatureNotSupported", "all operations are processed synchronously");
    }
  }

  private static Request.BatchItem item(Fields fields) {
    int operation = fields.required("Operation", Value.Enumerated.class).value();
    // What a client does not want back, it gets all the same.
    fields.optional("Ephemeral", Value.Bool.class);
    var id = fields.optional("UniqueBatchItemID", Value.Bytes.class);
    var payload = fields.required("RequestPayload", Value.Structure.class);
    for (Value.Structure each : fields.repeated("MessageExtension", Value.Structure.class)) {
      Fields extension = new Fields("MessageExtension", each, fields.version());
      if (extension.required("CriticalityIndicator", Value.Bool.class).value()) {
        throw new KmipException("UnknownMessageExtension", "no message extension is understood");
      }
    }
    fields.end();
    return new Request.BatchItem(operation, id, payload);
  }

  /** Without them, a client could not tell which of its operations an answer is of. */
  private static void requireIds(List<Request.BatchItem> items) {
    Set<Value> seen = new HashSet<>();
    for (Request.BatchItem each : items) {
      if (items.size() > 1 && (each.id() == null || !seen.add(each.id()))) {
        throw new KmipException(
            "InvalidMessage", "each item of a batch needs its own UniqueBatchItemID");
      }
    }
  }
}
