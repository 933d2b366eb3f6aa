package org.keywell.kmip.message;

import java.util.List;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Lists the versions that both sides speak, the newest first. */
final class DiscoverVersions<C> implements OperationHandler<C> {

  @Override
  public List<Item> handle(OperationCall<C> call) {
    Fields fields = call.fields();
    List<ProtocolVersion> asked =
        fields.repeated(VersionField.TAG, Value.Structure.class).stream()
            .map(VersionField::read)
            .toList();
    fields.end();
    return ProtocolVersion.SUPPORTED.stream()
        .filter(each -> asked.isEmpty() || asked.contains(each))
        .map(VersionField::write)
        .toList();
  }
}
