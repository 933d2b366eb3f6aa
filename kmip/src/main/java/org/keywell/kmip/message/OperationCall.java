package org.keywell.kmip.message;

import org.keywell.kmip.table.ProtocolVersion;

/**
 * One operation, as its handler sees it.
 *
 * @param caller who asks, by the connection
 * @param header of the request
 * @param item the operation itself
 * @param batch shared with the other operations of the request
 */
public record OperationCall<C>(
    C caller, Request.Header header, Request.BatchItem item, BatchState batch) {

  public ProtocolVersion version() {
    return header.version();
  }

  /** Returns the payload's fields, none of them taken yet. */
  public Fields fields() {
    return new Fields("RequestPayload", item.payload(), version());
  }
}
