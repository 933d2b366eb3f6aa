package org.keywell.kmip.message;

import org.keywell.kmip.table.ProtocolVersion;

/**
 * One operation, as its handler sees it.
 *
 * @param caller who asks, by the connection
 * @param header of the request
 * @param fields the payload's, which the handler takes
 * @param batch shared with the other operations of the request
 */
public record OperationCall<C>(C caller, Request.Header header, Fields fields, BatchState batch) {

  public ProtocolVersion version() {
    return header.version();
  }
}
