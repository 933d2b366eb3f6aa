package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A problem document (RFC 9457): why the service did not do what was asked for.
 *
 * @param type a stable URI, such as {@code urn:keywell:problem:queue-full}: what programs decide by
 * @param status the HTTP status
 * @param heldBy with {@code act-elsewhere}: the instance that has the act's key
 * @param retryAfter when the same request may succeed; null if it will not by itself
 */
public record Problem(
    @Nullable String type,
    @Nullable String title,
    @Nullable String detail,
    int status,
    @Nullable String heldBy,
    @JsonIgnore @Nullable Duration retryAfter) {
  private static final String KEYWELL = "urn:keywell:problem:";

  /** A problem that says neither who could help nor when. */
  public Problem(
      @Nullable String type, @Nullable String title, @Nullable String detail, int status) {
    this(type, title, detail, status, null, null);
  }

  @JsonCreator
  static Problem told(
      @JsonProperty("type") @Nullable String type,
      @JsonProperty("title") @Nullable String title,
      @JsonProperty("detail") @Nullable String detail,
      @JsonProperty("status") int status,
      @JsonProperty("heldBy") @Nullable String heldBy) {
    return new Problem(type, title, detail, status, heldBy, null);
  }

  /** The same with what the answer's head says, which goes before the document. */
  Problem with(int newStatus, @Nullable Duration newRetryAfter) {
    return new Problem(type, title, detail, newStatus, heldBy, newRetryAfter);
  }

  /**
   * Whether it is that problem.
   *
   * @param name as docs/API.md lists them, such as {@code queue-full}
   */
  public boolean is(String name) {
    return (KEYWELL + name).equals(type);
  }

  /** Whether Keywell itself says so, and not something between it and the caller. */
  boolean isKeywells() {
    return type != null && type.startsWith(KEYWELL);
  }

  /** One line for people: what kind of problem it is, and this case's details. */
  public String summary() {
    String kind = type != null && !type.equals("about:blank") ? type : "HTTP status " + status;
    String explanation = detail != null ? detail : title;
    return explanation == null ? kind : kind + ": " + explanation;
  }
}
