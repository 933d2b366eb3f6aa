package org.keywell.kmip.message;

import java.time.InstantSource;
import java.util.List;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/** Puts responses together. */
record ResponseWriter(InstantSource clock) {

  /** Returns the response, of whatever length. */
  byte[] write(ProtocolVersion version, List<ResponseItem> batch) {
    return TtlvWriter.write(message(version, batch));
  }

  /** Returns how long a response without answers is, in bytes. */
  long emptySize(ProtocolVersion version) {
    return TtlvWriter.size(message(version, List.of()));
  }

  private Item message(ProtocolVersion version, List<ResponseItem> batch) {
    FieldsBuilder header =
        new FieldsBuilder()
            .add(VersionField.write(version))
            .add("TimeStamp", new Value.DateTime(clock.instant().getEpochSecond()))
            .integer("BatchCount", batch.size());
    return new FieldsBuilder()
        .structure("ResponseHeader", header)
        .addAll(batch.stream().map(ResponseItem::item).toList())
        .in("ResponseMessage");
  }
}
