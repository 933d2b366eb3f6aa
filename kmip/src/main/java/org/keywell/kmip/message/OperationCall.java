package org.keywell.kmip.message;

import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;

/**
 * One operation, as its handler sees it.
 *
 * @param caller who asks, by the connection
 * @param header of the request
 * @param item the operation itself
 * @param batch shared with the other operations of the request
 */
public record OperationCall<C>(C caller, RequestHeader header, RequestItem item, BatchState batch) {

  private static final Tag REQUEST_PAYLOAD = Tag.named("RequestPayload");

  public ProtocolVersion version() {
    return header.version();
  }

  /** Returns the payload's fields, none of them taken yet. */
  public Fields fields() {
    return new Fields(REQUEST_PAYLOAD, item.payload(), version());
  }
}
