package org.keywell.kmip.message;

import java.util.ArrayList;
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

  private static final Tag BATCH_ITEM = Tag.named("BatchItem");
  private static final Tag OPERATION = Tag.named("Operation");
  private static final Tag UNIQUE_BATCH_ITEM_ID = Tag.named("UniqueBatchItemID");
  private static final Tag RESULT_STATUS = Tag.named("ResultStatus");
  private static final Tag RESULT_REASON = Tag.named("ResultReason");
  private static final Tag RESULT_MESSAGE = Tag.named("ResultMessage");
  private static final Tag RESPONSE_PAYLOAD = Tag.named("ResponsePayload");

  static ResponseItem success(RequestItem of, List<Item> payload) {
    List<Item> fields = beginning(of);
    fields.add(RESULT_STATUS.item("Success"));
    fields.add(RESPONSE_PAYLOAD.item(payload));
    return new ResponseItem(false, BATCH_ITEM.item(fields));
  }

  /**
   * Returns an answer that says why.
   *
   * @param of null if the message as a whole is refused
   */
  static ResponseItem failure(
      @Nullable RequestItem of, KmipException why, ProtocolVersion version) {
    List<Item> fields = beginning(of);
    fields.add(RESULT_STATUS.item("OperationFailed"));
    fields.add(RESULT_REASON.item(why.reason().in(version).name()));
    fields.add(RESULT_MESSAGE.item(new Value.Text(why.getMessage())));
    return new ResponseItem(true, BATCH_ITEM.item(fields));
  }

  private static List<Item> beginning(@Nullable RequestItem of) {
    List<Item> fields = new ArrayList<>();
    if (of != null) {
      fields.add(OPERATION.item(new Value.Enumerated(of.operation())));
      if (of.id() != null) {
        fields.add(UNIQUE_BATCH_ITEM_ID.item(of.id()));
      }
    }
    return fields;
  }
}
