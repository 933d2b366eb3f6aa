package org.keywell.kmip.message;

import java.util.List;

/** A request, whole and within its limits, none of whose operations has begun. */
public record Request(RequestHeader header, List<RequestItem> items) {

  public Request {
    items = List.copyOf(items);
  }
}
