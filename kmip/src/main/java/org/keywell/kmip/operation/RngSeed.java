package org.keywell.kmip.operation;

import java.util.List;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.OperationCall;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Takes no seed: the HSM seeds itself. The answer says so, as the specification provides. */
final class RngSeed implements OperationHandler<KmipCaller> {

  private static final Tag DATA = Tag.named("Data");
  private static final Tag DATA_LENGTH = Tag.named("DataLength");

  @Override
  public List<Item> handle(OperationCall<KmipCaller> call) {
    Fields fields = call.fields();
    Value.Bytes _ = fields.required(DATA, Value.Bytes.class);
    fields.end();
    return List.of(DATA_LENGTH.item(new Value.Int(0)));
  }
}
