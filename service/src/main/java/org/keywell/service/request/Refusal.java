package org.keywell.service.request;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why the core refused a call, in no protocol's words: each entry point renders it.
 *
 * @param detail for the caller: names the field, or the setting that was hit; never contains
 *     personal data
 * @param retryAfter when the same call may succeed; null if it will not by itself
 * @param heldBy the instance that has what was requested; null if that is not the reason
 */
public record Refusal(
    Reason reason, String detail, @Nullable Duration retryAfter, @Nullable String heldBy) {

  /** The closed set of reasons that entry points distinguish. */
  public enum Reason {
    // The ticket that proves who signs.
    PROOF_NOT_BOUND,
    PROOF_REPLAYED,

    // The request or act with this id.
    REQUEST_UNKNOWN,
    REQUEST_ID_REUSED,
    REQUEST_IN_PROGRESS,
    ACT_ELSEWHERE,
    ACT_EXPIRED,
    ACT_SIGNED,

    // Limits.
    QUOTA_USED,
    QUEUE_FULL,
    QUEUE_SHARE,
    WAIT_TOO_LONG,
    READS_BUSY,
    ACT_LIMIT,
    ACT_SHARE,

    // What signing needs.
    HSM_UNAVAILABLE,
    CA_UNAVAILABLE,
    RECORD_UNAVAILABLE,
    SHUTTING_DOWN;

    /** Returns the name for callers and metrics, such as {@code queue-full}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public Refusal(Reason reason, String detail) {
    this(reason, detail, null);
  }

  public Refusal(Reason reason, String detail, @Nullable Duration retryAfter) {
    this(reason, detail, retryAfter, null);
  }
}
