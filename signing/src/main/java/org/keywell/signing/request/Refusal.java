package org.keywell.signing.request;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProofRefusal;

/**
 * Why the core refused a call, in no protocol's words: each entry point renders it.
 *
 * @param detail for the caller: names the field, or the setting that was hit; never contains
 *     personal data
 * @param retryAfter when the same call may succeed; null if waiting does not help
 * @param heldBy the instance that has what was requested; null if that is not the reason
 */
public record Refusal(
    Reason reason, String detail, @Nullable Duration retryAfter, @Nullable String heldBy) {

  /** The closed set of reasons that entry points distinguish. */
  public enum Reason {
    // How the request is written.
    MALFORMED_JSON,
    UNKNOWN_FIELD,
    MISSING_FIELD,
    BAD_REQUEST_ID,
    BAD_DIGEST,
    UNKNOWN_DIGEST_ALGORITHM,
    UNKNOWN_SIGNATURE_ALGORITHM,
    UNKNOWN_CONTAINER,
    BAD_TEST_ID,
    BAD_REVOCATION,

    // What it asks for.
    DIGEST_COUNT,
    UNKNOWN_KEY_SPEC,
    KEY_SPEC_NOT_ALLOWED,
    ALGORITHM_MISMATCH,
    UNKNOWN_PROFILE,
    PROFILE_NOT_ALLOWED,
    BAD_DEADLINE,
    BAD_TIME_TO_LIVE,

    // Who signs, and the ticket that proves it.
    BAD_SIGNER,
    SIGNER_MISMATCH,
    PROOF_REQUIRED,
    BAD_PROOF,
    PROOF_UNTRUSTED,
    PROOF_NOT_VALID_NOW,
    PROOF_WRONG_AUDIENCE,
    PROOF_ASSURANCE_TOO_LOW,
    PROOF_NOT_BOUND,
    PROOF_REPLAYED,
    PROOF_ATTRIBUTES,
    IDENTITY_PROVIDER_UNAVAILABLE,

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
    STAMPS_BUSY,
    ACT_LIMIT,
    ACT_SHARE,

    // What signing needs.
    HSM_UNAVAILABLE,
    CA_UNAVAILABLE,
    RECORD_UNAVAILABLE,
    SHUTTING_DOWN;

    /** Returns the reason for a ticket that does not prove who signs. */
    public static Reason of(ProofRefusal reason) {
      return switch (reason) {
        case MALFORMED -> BAD_PROOF;
        case UNTRUSTED -> PROOF_UNTRUSTED;
        case NOT_VALID_NOW -> PROOF_NOT_VALID_NOW;
        case WRONG_AUDIENCE -> PROOF_WRONG_AUDIENCE;
        case ASSURANCE_TOO_LOW -> PROOF_ASSURANCE_TOO_LOW;
        case NOT_BOUND -> PROOF_NOT_BOUND;
        case REPLAYED -> PROOF_REPLAYED;
        case ATTRIBUTES -> PROOF_ATTRIBUTES;
        case PROVIDER_UNAVAILABLE -> IDENTITY_PROVIDER_UNAVAILABLE;
        case BUSY -> WAIT_TOO_LONG;
      };
    }

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
