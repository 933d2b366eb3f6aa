package org.keywell.service.problem;

import java.net.URI;
import java.util.Locale;
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
  NOT_FOUND(HttpStatus.NOT_FOUND, "There is nothing at this address"),
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The method is not allowed at this address"),
  REQUEST_UNKNOWN(HttpStatus.NOT_FOUND, "No request of this caller has this id"),
  REQUEST_ID_REUSED(HttpStatus.CONFLICT, "The request id belongs to another request"),
  REQUEST_IN_PROGRESS(HttpStatus.CONFLICT, "The request is still being worked on"),
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
