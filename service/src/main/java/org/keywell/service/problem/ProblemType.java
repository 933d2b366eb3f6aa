package org.keywell.service.problem;

import jakarta.servlet.ServletRequest;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.service.identity.ProofRefusal;
import org.keywell.service.request.FailureReason;
import org.springframework.http.HttpStatus;

/**
 * Every kind of refusal and failure that a caller can meet. The {@link #uri} is stable: callers
 * decide by it.
 */
public enum ProblemType {
  MALFORMED_JSON(HttpStatus.BAD_REQUEST, "The body is not a JSON object of the expected form"),
  UNKNOWN_FIELD(HttpStatus.BAD_REQUEST, "The body has a field that is not known"),
  MISSING_FIELD(HttpStatus.BAD_REQUEST, "A required field is missing"),
  BAD_REQUEST_ID(HttpStatus.BAD_REQUEST, "The request id is not a UUID"),
  BAD_DIGEST(HttpStatus.BAD_REQUEST, "The digest does not fit its algorithm"),
  DIGEST_COUNT(HttpStatus.BAD_REQUEST, "As many digests are not acceptable"),
  UNKNOWN_CONTAINER(HttpStatus.BAD_REQUEST, "The container is not known"),
  BAD_TIME_TO_LIVE(HttpStatus.BAD_REQUEST, "The time to live is out of range"),
  UNKNOWN_DIGEST_ALGORITHM(HttpStatus.BAD_REQUEST, "The digest algorithm is not known"),
  UNKNOWN_SIGNATURE_ALGORITHM(HttpStatus.BAD_REQUEST, "The signature algorithm is not known"),
  UNKNOWN_KEY_SPEC(HttpStatus.BAD_REQUEST, "The key spec is not known or has no pool"),
  ALGORITHM_MISMATCH(HttpStatus.BAD_REQUEST, "Key spec and signature algorithm do not fit"),
  BAD_SIGNER(HttpStatus.BAD_REQUEST, "An attribute of the signer is not acceptable"),
  BAD_DEADLINE(HttpStatus.BAD_REQUEST, "The deadline is out of range"),
  BAD_TEST_ID(HttpStatus.BAD_REQUEST, "The test id is not acceptable"),
  BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is over the limit"),
  UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body is not application/json"),
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The answer has none of the accepted media types"),
  BAD_HTTP_REQUEST(HttpStatus.BAD_REQUEST, "The HTTP request is not acceptable"),
  HOST_NOT_ALLOWED(HttpStatus.MISDIRECTED_REQUEST, "The service may not be addressed by this name"),
  FOREIGN_ORIGIN(HttpStatus.FORBIDDEN, "The request comes from another site's page"),
  UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "It is not known who calls"),
  CALLER_UNKNOWN(HttpStatus.FORBIDDEN, "The certificate is no caller's"),
  CERTIFICATE_REVOKED(HttpStatus.FORBIDDEN, "The caller's certificate is revoked"),
  REVOCATION_UNKNOWN(
      HttpStatus.SERVICE_UNAVAILABLE, "It cannot be told whether the certificate is revoked"),
  ROLE_MISSING(HttpStatus.FORBIDDEN, "The caller has not the role that this needs"),
  KEY_SPEC_NOT_ALLOWED(HttpStatus.FORBIDDEN, "The caller may not ask for this key spec"),
  UNKNOWN_PROFILE(HttpStatus.BAD_REQUEST, "The certificate profile is not known"),
  PROFILE_NOT_ALLOWED(HttpStatus.FORBIDDEN, "The caller may not ask for this profile"),
  PROOF_REQUIRED(HttpStatus.FORBIDDEN, "The caller's requests need proof of the signer's identity"),
  BAD_PROOF(HttpStatus.BAD_REQUEST, "The proof of identity is not of its form"),
  PROOF_UNTRUSTED(HttpStatus.FORBIDDEN, "The proof of identity is not signed by who is trusted"),
  PROOF_NOT_VALID_NOW(HttpStatus.FORBIDDEN, "The proof of identity is expired or not valid yet"),
  PROOF_WRONG_AUDIENCE(HttpStatus.FORBIDDEN, "The proof of identity was made for someone else"),
  PROOF_ASSURANCE_TOO_LOW(
      HttpStatus.FORBIDDEN, "The signer was identified with too little assurance"),
  PROOF_NOT_BOUND(HttpStatus.FORBIDDEN, "The proof of identity does not belong to this request"),
  PROOF_REPLAYED(HttpStatus.FORBIDDEN, "The proof of identity has served another request"),
  PROOF_ATTRIBUTES(HttpStatus.FORBIDDEN, "The proof of identity lacks what a certificate needs"),
  SIGNER_MISMATCH(HttpStatus.FORBIDDEN, "The signer is not who the proof of identity names"),
  IDENTITY_PROVIDER_UNAVAILABLE(
      HttpStatus.SERVICE_UNAVAILABLE, "The identity provider's keys are not known at present"),
  RATE_LIMIT(HttpStatus.TOO_MANY_REQUESTS, "The caller asks faster than it may"),
  QUOTA_USED(HttpStatus.TOO_MANY_REQUESTS, "The caller's quota of the day is used"),
  QUEUE_SHARE(HttpStatus.SERVICE_UNAVAILABLE, "The caller's share of the sign queue is full"),
  READS_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Too many results are asked for at once"),
  NOT_FOUND(HttpStatus.NOT_FOUND, "There is nothing at this address"),
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The method is not allowed at this address"),
  REQUEST_UNKNOWN(HttpStatus.NOT_FOUND, "No request of this caller has this id"),
  REQUEST_ID_REUSED(HttpStatus.CONFLICT, "The request id belongs to another request"),
  REQUEST_IN_PROGRESS(HttpStatus.CONFLICT, "The request is still being worked on"),
  ACT_ELSEWHERE(HttpStatus.MISDIRECTED_REQUEST, "Another instance has the act's key"),
  ACT_EXPIRED(HttpStatus.GONE, "The act was open for too long, and its key is destroyed"),
  ACT_CANCELLED(HttpStatus.GONE, "The act was cancelled, and its key is destroyed"),
  ACT_SIGNED(HttpStatus.CONFLICT, "The act has signed, and its key is destroyed"),
  ACT_LIMIT(HttpStatus.SERVICE_UNAVAILABLE, "As many acts are open as may be"),
  ACT_SHARE(HttpStatus.SERVICE_UNAVAILABLE, "As many acts of the caller are open as may be"),
  QUEUE_FULL(HttpStatus.SERVICE_UNAVAILABLE, "The sign queue is full"),
  WAIT_TOO_LONG(HttpStatus.SERVICE_UNAVAILABLE, "The predicted wait is beyond the deadline"),
  DEADLINE(HttpStatus.GATEWAY_TIMEOUT, "The deadline passed before the request was signed"),
  POOL_EMPTY(HttpStatus.SERVICE_UNAVAILABLE, "The key pool is empty"),
  ORPHAN_LIMIT(HttpStatus.SERVICE_UNAVAILABLE, "Too many keys could not be destroyed"),
  HSM_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The HSM is not available"),
  CA_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The certification authority is not available"),
  RECORD_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The request cannot be recorded"),
  CONSOLE_FULL(HttpStatus.SERVICE_UNAVAILABLE, "As many consoles are open as may be"),
  SHUTTING_DOWN(HttpStatus.SERVICE_UNAVAILABLE, "The service is shutting down"),
  KEY_REFUSED(HttpStatus.INTERNAL_SERVER_ERROR, "The key is not fit to be certified"),
  KEY_REUSED(HttpStatus.INTERNAL_SERVER_ERROR, "The key has served another request"),
  INTERRUPTED(HttpStatus.INTERNAL_SERVER_ERROR, "The service stopped while it worked on this"),
  INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The service failed unexpectedly");

  private final HttpStatus status;
  private final String title;

  ProblemType(HttpStatus status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The name in {@link #uri} and in metrics, such as {@code queue-full}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Notes on a request what it was answered with, for who looks on when it is over. */
  void markOn(ServletRequest request) {
    request.setAttribute(ProblemType.class.getName(), this);
  }

  /** The problem that a request was answered with; null if it was none. */
  public static @Nullable ProblemType markedOn(ServletRequest request) {
    return (ProblemType) request.getAttribute(ProblemType.class.getName());
  }

  /** How a ticket that does not prove who signs is told to the caller. */
  public static ProblemType of(ProofRefusal reason) {
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

  /** How a request that was accepted and failed is told to its caller. */
  public static ProblemType of(FailureReason reason) {
    return switch (reason) {
      case POOL_EMPTY -> POOL_EMPTY;
      case ORPHAN_LIMIT -> ORPHAN_LIMIT;
      case HSM_UNAVAILABLE -> HSM_UNAVAILABLE;
      case CA_UNAVAILABLE -> CA_UNAVAILABLE;
      case RECORD_UNAVAILABLE -> RECORD_UNAVAILABLE;
      case KEY_REFUSED -> KEY_REFUSED;
      case KEY_REUSED -> KEY_REUSED;
      case INTERRUPTED -> INTERRUPTED;
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
