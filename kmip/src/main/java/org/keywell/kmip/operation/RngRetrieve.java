package org.keywell.kmip.operation;

import java.util.List;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Random bytes of the HSM. */
final class RngRetrieve implements OperationHandler<KmipCaller> {

  private static final Tag DATA_LENGTH = Tag.named("DataLength");
  private static final Tag DATA = Tag.named("Data");
  private static final int MOST_BYTES = 4_096;

  private final Custody custody;

  RngRetrieve(Custody custody) {
    this.custody = custody;
  }

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    int length = fields.required(DATA_LENGTH, Value.Int.class).value();
    fields.end();
    if (length < 1 || length > MOST_BYTES) {
      throw new KmipException(
          ResultReason.INVALID_FIELD,
          "DataLength is %d, not 1 to %d".formatted(length, MOST_BYTES));
    }
    return List.of(DATA.item(new Value.Bytes(custody.keys().random(length))));
  }
}
