package org.keywell.kmip.message;

import static org.keywell.kmip.client.Messages.integer;
import static org.keywell.kmip.client.Messages.structure;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/** Requests, and responses in few words, for tests. */
final class Samples {

  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  static final ServerDescription SERVER =
      new ServerDescription("keywell.org", "test", List.of("SymmetricKey", "CertificateRequest"));

  private Samples() {}

  static RequestProcessor<String> processor(
      MessageLimits limits,
      Map<String, OperationHandler<String>> handlers,
      List<RuntimeException> unexpected) {
    return processor(limits, handlers, unexpected, AnswerListener.NONE);
  }

  static RequestProcessor<String> processor(
      MessageLimits limits,
      Map<String, OperationHandler<String>> handlers,
      List<RuntimeException> unexpected,
      AnswerListener listener) {
    return new RequestProcessor<>(
        TtlvLimits.STANDARD,
        limits,
        new OperationRegistry<>(handlers, SERVER),
        InstantSource.fixed(NOW),
        unexpected::add,
        listener);
  }

  /** Returns a request with one batch item for each payload, with the ids 0, 1 … if several. */
  static Item request(ProtocolVersion version, List<Item> header, Item... items) {
    List<Item> all = new ArrayList<>();
    List<Item> fields = new ArrayList<>();
    fields.add(VersionField.write(version));
    fields.addAll(header);
    fields.add(integer("BatchCount", items.length));
    all.add(structure("RequestHeader", fields.toArray(Item[]::new)));
    all.addAll(List.of(items));
    return structure("RequestMessage", all.toArray(Item[]::new));
  }

  static Item item(String operation, Item... payload) {
    return structure(
        "BatchItem", Tag.named("Operation").item(operation), structure("RequestPayload", payload));
  }

  static Item item(int id, String operation, Item... payload) {
    return structure(
        "BatchItem",
        Tag.named("Operation").item(operation),
        bytes("UniqueBatchItemID", String.valueOf(id)),
        structure("RequestPayload", payload));
  }

  static Item bytes(String tag, String value) {
    return Tag.named(tag).item(new Value.Bytes(value.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the response without its time, which is checked, in few words. */
  static String answer(RequestProcessor<String> processor, Item request) {
    return words(processor.process(TtlvWriter.write(request), "caller"));
  }

  static String words(Answer answer) {
    Item response = new TtlvReader(TtlvLimits.STANDARD).read(answer.message());
    return Words.of(response)
            .replace("TimeStamp=" + NOW.getEpochSecond() + " ", "")
            .replaceFirst("^ResponseMessage\\(ResponseHeader\\(ProtocolVersion", "(")
            .replace("ProtocolVersionMajor=", "")
            .replace(" ProtocolVersionMinor=", ".")
        + (answer.last() ? " last" : "");
  }
}
