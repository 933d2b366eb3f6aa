package org.keywell.rest.problem;

import jakarta.servlet.ServletRequest;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.Refusal;
import org.springframework.http.HttpStatus;

/**
 * Every kind of refusal and failure that a caller can meet. The {@link #uri} is stable: callers
 * branch on it.
 */
public enum ProblemType {
  MALFORMED_JSON(HttpStatus.BAD_REQUEST, "Malformed JSON body"),
  UNKNOWN_FIELD(HttpStatus.BAD_REQUEST, "Unknown field"),
  MISSING_FIELD(HttpStatus.BAD_REQUEST, "Missing required field"),
  BAD_REQUEST_ID(HttpStatus.BAD_REQUEST, "Invalid request id"),
  BAD_DIGEST(HttpStatus.BAD_REQUEST, "Invalid digest"),
  DIGEST_COUNT(HttpStatus.BAD_REQUEST, "Invalid number of digests"),
  UNKNOWN_CONTAINER(HttpStatus.BAD_REQUEST, "Unknown container"),
  BAD_TIME_TO_LIVE(HttpStatus.BAD_REQUEST, "Time to live out of range"),
  UNKNOWN_DIGEST_ALGORITHM(HttpStatus.BAD_REQUEST, "Unknown digest algorithm"),
  UNKNOWN_SIGNATURE_ALGORITHM(HttpStatus.BAD_REQUEST, "Unknown signature algorithm"),
  UNKNOWN_KEY_SPEC(HttpStatus.BAD_REQUEST, "Unknown key spec, or one without a pool"),
  ALGORITHM_MISMATCH(HttpStatus.BAD_REQUEST, "Signature algorithm does not fit the key spec"),
  BAD_SIGNER(HttpStatus.BAD_REQUEST, "Invalid signer attribute"),
  BAD_DEADLINE(HttpStatus.BAD_REQUEST, "Deadline out of range"),
  BAD_TEST_ID(HttpStatus.BAD_REQUEST, "Invalid test id"),
  BAD_REVOCATION(HttpStatus.BAD_REQUEST, "Invalid order to revoke a certificate"),
  BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "Body too large"),
  UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Unsupported media type"),
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "No acceptable media type"),
  BAD_HTTP_REQUEST(HttpStatus.BAD_REQUEST, "Invalid HTTP request"),
  HOST_NOT_ALLOWED(HttpStatus.MISDIRECTED_REQUEST, "Host name not allowed"),
  FOREIGN_ORIGIN(HttpStatus.FORBIDDEN, "Request from a foreign origin"),
  UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "Caller not authenticated"),
  CALLER_UNKNOWN(HttpStatus.FORBIDDEN, "Certificate not registered to any caller"),
  CERTIFICATE_REVOKED(HttpStatus.FORBIDDEN, "Caller certificate revoked"),
  REVOCATION_UNKNOWN(
      HttpStatus.SERVICE_UNAVAILABLE, "Revocation status of the certificate unknown"),
  ROLE_MISSING(HttpStatus.FORBIDDEN, "Caller lacks the required role"),
  KEY_SPEC_NOT_ALLOWED(HttpStatus.FORBIDDEN, "Key spec not allowed for this caller"),
  UNKNOWN_PROFILE(HttpStatus.BAD_REQUEST, "Unknown certificate profile"),
  PROFILE_NOT_ALLOWED(HttpStatus.FORBIDDEN, "Certificate profile not allowed for this caller"),
  PROOF_REQUIRED(HttpStatus.FORBIDDEN, "Proof of the signer's identity required"),
  BAD_PROOF(HttpStatus.BAD_REQUEST, "Malformed proof of identity"),
  PROOF_UNTRUSTED(HttpStatus.FORBIDDEN, "Proof of identity not signed by a trusted provider"),
  PROOF_NOT_VALID_NOW(HttpStatus.FORBIDDEN, "Proof of identity expired or not yet valid"),
  PROOF_WRONG_AUDIENCE(HttpStatus.FORBIDDEN, "Proof of identity issued for another audience"),
  PROOF_ASSURANCE_TOO_LOW(HttpStatus.FORBIDDEN, "Level of assurance too low"),
  PROOF_NOT_BOUND(HttpStatus.FORBIDDEN, "Proof of identity not bound to this request"),
  PROOF_REPLAYED(HttpStatus.FORBIDDEN, "Proof of identity already used"),
  PROOF_ATTRIBUTES(HttpStatus.FORBIDDEN, "Proof of identity lacks required attributes"),
  SIGNER_MISMATCH(HttpStatus.FORBIDDEN, "Signer does not match the proof of identity"),
  IDENTITY_PROVIDER_UNAVAILABLE(
      HttpStatus.SERVICE_UNAVAILABLE, "Identity provider's keys unavailable"),
  RATE_LIMIT(HttpStatus.TOO_MANY_REQUESTS, "Caller's request rate exceeded"),
  QUOTA_USED(HttpStatus.TOO_MANY_REQUESTS, "Caller's daily quota exhausted"),
  QUEUE_SHARE(HttpStatus.SERVICE_UNAVAILABLE, "Caller's share of the sign queue is full"),
  READS_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Too many concurrent reads"),
  STAMPS_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Too many concurrent time stamps"),
  NOT_FOUND(HttpStatus.NOT_FOUND, "No such resource"),
  LOG_NOT_KEPT(HttpStatus.NOT_FOUND, "No log is kept"),
  LOG_ENTRY_NOT_FOUND(HttpStatus.NOT_FOUND, "No entry in the log yet"),
  CERTIFICATE_UNKNOWN(HttpStatus.NOT_FOUND, "Unknown certificate"),
  NOT_REVOCABLE(HttpStatus.CONFLICT, "Certificate cannot be revoked"),
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "Method not allowed"),
  REQUEST_UNKNOWN(HttpStatus.NOT_FOUND, "Unknown request id"),
  REQUEST_ID_REUSED(HttpStatus.CONFLICT, "Request id already used for a different request"),
  REQUEST_IN_PROGRESS(HttpStatus.CONFLICT, "Request in progress"),
  ACT_ELSEWHERE(HttpStatus.MISDIRECTED_REQUEST, "Act held by another instance"),
  ACT_EXPIRED(HttpStatus.GONE, "Act expired; its key is destroyed"),
  ACT_CANCELLED(HttpStatus.GONE, "Act cancelled; its key is destroyed"),
  ACT_REVOKED(HttpStatus.GONE, "Act's certificate revoked; its key is destroyed"),
  ERASED(HttpStatus.GONE, "Signer's data erased"),
  ACT_SIGNED(HttpStatus.CONFLICT, "Act already signed; its key is destroyed"),
  ACT_LIMIT(HttpStatus.SERVICE_UNAVAILABLE, "Open-act limit reached"),
  ACT_SHARE(HttpStatus.SERVICE_UNAVAILABLE, "Caller's open-act limit reached"),
  QUEUE_FULL(HttpStatus.SERVICE_UNAVAILABLE, "Sign queue full"),
  WAIT_TOO_LONG(HttpStatus.SERVICE_UNAVAILABLE, "Predicted wait exceeds the deadline"),
  DEADLINE(HttpStatus.GATEWAY_TIMEOUT, "Deadline passed before the request was signed"),
  POOL_EMPTY(HttpStatus.SERVICE_UNAVAILABLE, "Key pool empty"),
  ORPHAN_LIMIT(HttpStatus.SERVICE_UNAVAILABLE, "Too many undestroyed keys"),
  HSM_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "HSM unavailable"),
  CA_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Certification authority unavailable"),
  RECORD_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Records unavailable"),
  CONSOLE_FULL(HttpStatus.SERVICE_UNAVAILABLE, "Console limit reached"),
  SHUTTING_DOWN(HttpStatus.SERVICE_UNAVAILABLE, "Service shutting down"),
  KEY_REFUSED(HttpStatus.INTERNAL_SERVER_ERROR, "Key rejected by the certification authority"),
  KEY_REUSED(HttpStatus.INTERNAL_SERVER_ERROR, "Key already used"),
  INTERRUPTED(HttpStatus.INTERNAL_SERVER_ERROR, "Request interrupted by a service stop"),
  INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "Internal error");

  private final HttpStatus status;
  private final String title;

  ProblemType(HttpStatus status, String title) {
    this.status = status;
    this.title = title;
  }

  /** Returns the name in {@link #uri} and in metrics, such as {@code queue-full}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Marks a request with the problem in its answer, for use after the request is over. */
  void markOn(ServletRequest request) {
    request.setAttribute(ProblemType.class.getName(), this);
  }

  /** Returns the problem that a request was answered with; null if there was none. */
  public static @Nullable ProblemType markedOn(ServletRequest request) {
    return (ProblemType) request.getAttribute(ProblemType.class.getName());
  }

  /** Returns the problem to report for a refusal of the core. */
  public static ProblemType of(Refusal.Reason reason) {
    return switch (reason) {
      case MALFORMED_JSON -> MALFORMED_JSON;
      case UNKNOWN_FIELD -> UNKNOWN_FIELD;
      case MISSING_FIELD -> MISSING_FIELD;
      case BAD_REQUEST_ID -> BAD_REQUEST_ID;
      case BAD_DIGEST -> BAD_DIGEST;
      case UNKNOWN_DIGEST_ALGORITHM -> UNKNOWN_DIGEST_ALGORITHM;
      case UNKNOWN_SIGNATURE_ALGORITHM -> UNKNOWN_SIGNATURE_ALGORITHM;
      case UNKNOWN_CONTAINER -> UNKNOWN_CONTAINER;
      case BAD_TEST_ID -> BAD_TEST_ID;
      case BAD_REVOCATION -> BAD_REVOCATION;
      case DIGEST_COUNT -> DIGEST_COUNT;
      case UNKNOWN_KEY_SPEC -> UNKNOWN_KEY_SPEC;
      case KEY_SPEC_NOT_ALLOWED -> KEY_SPEC_NOT_ALLOWED;
      case ALGORITHM_MISMATCH -> ALGORITHM_MISMATCH;
      case UNKNOWN_PROFILE -> UNKNOWN_PROFILE;
      case PROFILE_NOT_ALLOWED -> PROFILE_NOT_ALLOWED;
      case BAD_DEADLINE -> BAD_DEADLINE;
      case BAD_TIME_TO_LIVE -> BAD_TIME_TO_LIVE;
      case BAD_SIGNER -> BAD_SIGNER;
      case SIGNER_MISMATCH -> SIGNER_MISMATCH;
      case PROOF_REQUIRED -> PROOF_REQUIRED;
      case BAD_PROOF -> BAD_PROOF;
      case PROOF_UNTRUSTED -> PROOF_UNTRUSTED;
      case PROOF_NOT_VALID_NOW -> PROOF_NOT_VALID_NOW;
      case PROOF_WRONG_AUDIENCE -> PROOF_WRONG_AUDIENCE;
      case PROOF_ASSURANCE_TOO_LOW -> PROOF_ASSURANCE_TOO_LOW;
      case PROOF_NOT_BOUND -> PROOF_NOT_BOUND;
      case PROOF_REPLAYED -> PROOF_REPLAYED;
      case PROOF_ATTRIBUTES -> PROOF_ATTRIBUTES;
      case IDENTITY_PROVIDER_UNAVAILABLE -> IDENTITY_PROVIDER_UNAVAILABLE;
      case REQUEST_UNKNOWN -> REQUEST_UNKNOWN;
      case REQUEST_ID_REUSED -> REQUEST_ID_REUSED;
      case REQUEST_IN_PROGRESS -> REQUEST_IN_PROGRESS;
      case ACT_ELSEWHERE -> ACT_ELSEWHERE;
      case ACT_EXPIRED -> ACT_EXPIRED;
      case ACT_SIGNED -> ACT_SIGNED;
      case QUOTA_USED -> QUOTA_USED;
      case QUEUE_FULL -> QUEUE_FULL;
      case QUEUE_SHARE -> QUEUE_SHARE;
      case WAIT_TOO_LONG -> WAIT_TOO_LONG;
      case READS_BUSY -> READS_BUSY;
      case STAMPS_BUSY -> STAMPS_BUSY;
      case ACT_LIMIT -> ACT_LIMIT;
      case ACT_SHARE -> ACT_SHARE;
      case HSM_UNAVAILABLE -> HSM_UNAVAILABLE;
      case CA_UNAVAILABLE -> CA_UNAVAILABLE;
      case RECORD_UNAVAILABLE -> RECORD_UNAVAILABLE;
      case SHUTTING_DOWN -> SHUTTING_DOWN;
    };
  }

  /** Returns the problem to report for a request that was accepted and failed. */
  public static ProblemType of(FailureReason reason) {
    return switch (reason) {
      case POOL_EMPTY -> POOL_EMPTY;
      case ORPHAN_LIMIT -> ORPHAN_LIMIT;
      case HSM_UNAVAILABLE -> HSM_UNAVAILABLE;
      case CA_UNAVAILABLE -> CA_UNAVAILABLE;
      case RECORD_UNAVAILABLE -> RECORD_UNAVAILABLE;
      case KEY_REFUSED -> KEY_REFUSED;
      case KEY_REUSED -> KEY_REUSED;
      case ACT_REVOKED -> ACT_REVOKED;
      case INTERRUPTED -> INTERRUPTED;
      case ERASED -> ERASED;
      case INTERNAL -> INTERNAL;
    };
  }

  public URI uri() {
    return URI.create("urn:keywell:problem:" + label());
  }

  public HttpStatus status() {
    return status;
  }

  public String title() {
    return title;
  }
}
