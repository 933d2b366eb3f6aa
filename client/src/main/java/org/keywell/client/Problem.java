package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A problem document (RFC 9457): why the service did not fulfil a request.
 *
 * @param type a stable URI for programs to act on, such as {@code urn:keywell:problem:queue-full}
 * @param status the HTTP status
 * @param heldBy with {@code act-elsewhere}: the instance that holds the act's key
 * @param retryAfter when the same request may succeed; null if waiting does not help
 */
public record Problem(
    @Nullable String type,
    @Nullable String title,
    @Nullable String detail,
    int status,
    @Nullable String heldBy,
    @JsonIgnore @Nullable Duration retryAfter) {
  private static final String KEYWELL = "urn:keywell:problem:";

  /** Creates a problem without {@code heldBy} and {@code retryAfter}. */
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

  /** Returns the same problem with values from the answer's head, which take precedence. */
  Problem with(int newStatus, @Nullable Duration newRetryAfter) {
    return new Problem(type, title, detail, newStatus, heldBy, newRetryAfter);
  }

  /**
   * Whether this is the named problem.
   *
   * @param name as listed in docs/API.md, such as {@code queue-full}
   */
  public boolean is(String name) {
    return (KEYWELL + name).equals(type);
  }

  /** Whether it comes from Keywell itself, not from an intermediary. */
  boolean isKeywells() {
    return type != null && type.startsWith(KEYWELL);
  }

  /** Returns one line for people: the kind of problem and this case's details. */
  public String summary() {
    String kind = type != null && !type.equals("about:blank") ? type : "HTTP status " + status;
    String explanation = detail != null ? detail : title;
    return explanation == null ? kind : kind + ": " + explanation;
  }
}
