package org.keywell.kmip.message;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Value;

/** A request, whole and within its limits, none of whose operations has begun. */
public record Request(Header header, List<BatchItem> items) {

  public Request {
    items = List.copyOf(items);
  }

  /**
   * What holds for all operations.
   *
   * @param version a supported one
   * @param maximumResponseSize in bytes; null if the client names none
   * @param authentication credentials as sent, unread and unverified; may hold a password. Null if
   *     the connection alone says who calls
   * @param continuesOnError whether operations go on after one of them has failed; else those after
   *     it are neither done nor answered
   */
  public record Header(
      ProtocolVersion version,
      @Nullable Integer maximumResponseSize,
      Value.@Nullable Structure authentication,
      boolean continuesOnError) {}

  /**
   * An operation that is asked for.
   *
   * @param operation a value of the enumeration {@code Operation}, known or not
   * @param id what its response repeats, null if there is none
   */
  public record BatchItem(int operation, Value.@Nullable Bytes id, Value.Structure payload) {}
}
