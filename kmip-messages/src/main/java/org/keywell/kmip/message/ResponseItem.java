package org.keywell.kmip.message;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * The answer to an operation, or to a message that cannot be read: the one place where failures
 * become KMIP's words.
 *
 * @param failed whether the operation failed
 * @param item in the form of the batch
 */
record ResponseItem(boolean failed, Item item) {

  static ResponseItem success(Request.BatchItem of, List<Item> payload) {
    return new ResponseItem(
        false,
        beginning(of)
            .choice("ResultStatus", "Success")
            .add(Tag.named("ResponsePayload").item(payload))
            .in("BatchItem"));
  }

  /**
   * Returns an answer that says why.
   *
   * @param of null if the message as a whole is refused
   */
  static ResponseItem failure(
      Request.@Nullable BatchItem of, KmipException why, ProtocolVersion version) {
    return new ResponseItem(
        true,
        beginning(of)
            .choice("ResultStatus", "OperationFailed")
            .choice("ResultReason", why.reasonIn(version))
            .text("ResultMessage", why.getMessage())
            .in("BatchItem"));
  }

  private static FieldsBuilder beginning(Request.@Nullable BatchItem of) {
    return of == null
        ? new FieldsBuilder()
        : new FieldsBuilder()
            .add("Operation", new Value.Enumerated(of.operation()))
            .add("UniqueBatchItemID", of.id());
  }
}
