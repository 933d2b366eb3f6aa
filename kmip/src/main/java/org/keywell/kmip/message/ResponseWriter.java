package org.keywell.kmip.message;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/** Puts responses together. */
final class ResponseWriter {

  private static final Tag RESPONSE_MESSAGE = Tag.named("ResponseMessage");
  private static final Tag RESPONSE_HEADER = Tag.named("ResponseHeader");
  private static final Tag TIME_STAMP = Tag.named("TimeStamp");

  private final InstantSource clock;

  ResponseWriter(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the response, of whatever length. */
  byte[] write(ProtocolVersion version, List<ResponseItem> batch) {
    return TtlvWriter.write(message(version, batch));
  }

  /** Returns how long a response without answers is, in bytes. */
  long emptySize(ProtocolVersion version) {
    return TtlvWriter.size(message(version, List.of()));
  }

  private Item message(ProtocolVersion version, List<ResponseItem> batch) {
    List<Item> message = new ArrayList<>();
    message.add(
        RESPONSE_HEADER.item(
            List.of(
                VersionField.write(version),
                TIME_STAMP.item(new Value.DateTime(clock.instant().getEpochSecond())),
                HeaderReader.BATCH_COUNT.item(new Value.Int(batch.size())))));
    batch.forEach(each -> message.add(each.item()));
    return RESPONSE_MESSAGE.item(message);
  }
}
