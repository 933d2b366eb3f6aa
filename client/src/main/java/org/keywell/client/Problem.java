package org.keywell.client;

import org.jspecify.annotations.Nullable;

/**
 * A problem document (RFC 9457).
 *
 * @param type a stable URI, such as {@code urn:keywell:problem:queue-full}
 * @param status the HTTP status
 */
public record Problem(
    @Nullable String type, @Nullable String title, @Nullable String detail, int status) {

  /** One line for people: what kind of problem it is, and this case's details. */
  public String summary() {
    String kind = type != null && !type.equals("about:blank") ? type : "HTTP status " + status;
    String explanation = detail != null ? detail : title;
    return explanation == null ? kind : kind + ": " + explanation;
  }
}
