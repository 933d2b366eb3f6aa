package org.keywell.rest.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.keywell.json.UnreadableJson;
import org.keywell.keypool.store.StoreException;
import org.keywell.signing.request.RefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Renders every failure as a problem document and counts it by type. */
@RestControllerAdvice
public final class ProblemAdvice {

  private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

  /** Frequent when callers request too much. */
  private static final Set<ProblemType> OF_A_FLOOD =
      EnumSet.of(
          ProblemType.QUEUE_FULL,
          ProblemType.QUEUE_SHARE,
          ProblemType.WAIT_TOO_LONG,
          ProblemType.READS_BUSY);

  private final ProblemListener listener;
  private final ProblemWriter writer;
  private final HttpServletRequest current;

  /**
   * @param current a proxy for the request that is being answered
   */
  public ProblemAdvice(ProblemListener listener, ProblemWriter writer, HttpServletRequest current) {
    this.listener = listener;
    this.writer = writer;
    this.current = current;
  }

  @ExceptionHandler
  public @Nullable ResponseEntity<Object> onProblem(
      ProblemException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    return answer(e.problem(), request, response);
  }

  /** Answers refusals of the core. */
  @ExceptionHandler
  public @Nullable ResponseEntity<Object> onRefusal(
      RefusedException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    return answer(Problem.of(e.refusal()), request, response);
  }

  /** Refuses a flood without closing connections, as the door does. Returns null once it has. */
  private @Nullable ResponseEntity<Object> answer(
      Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!OF_A_FLOOD.contains(problem.type())) {
      return render(problem);
    }
    writer.turnAway(problem, request, response);
    return null;
  }

  @ExceptionHandler
  public ResponseEntity<Object> onUnreadable(HttpMessageNotReadableException e) {
    return render(Problem.of(UnreadableJson.refusal(e.getCause())));
  }

  @ExceptionHandler
  public ResponseEntity<Object> onMediaType(HttpMediaTypeNotSupportedException e) {
    return render(
        new Problem(
            ProblemType.UNSUPPORTED_MEDIA_TYPE,
            "Content-Type must be "
                + (e.getSupportedMediaTypes().isEmpty()
                    ? "one that this address takes"
                    : MediaType.toString(e.getSupportedMediaTypes()))));
  }

  @ExceptionHandler
  public ResponseEntity<Object> onAccept(HttpMediaTypeNotAcceptableException e) {
    String types =
        e.getSupportedMediaTypes().isEmpty()
            ? "a media type that this address returns"
            : MediaType.toString(e.getSupportedMediaTypes());
    return render(new Problem(ProblemType.NOT_ACCEPTABLE, "Accept must include " + types));
  }

  @ExceptionHandler
  public ResponseEntity<Object> onMethod(HttpRequestMethodNotSupportedException e) {
    ResponseEntity<Object> refusal =
        render(new Problem(ProblemType.METHOD_NOT_ALLOWED, e.getMethod() + " is not allowed"));
    // Includes Allow.
    return ResponseEntity.status(refusal.getStatusCode())
        .headers(refusal.getHeaders())
        .headers(e.getHeaders())
        .body(refusal.getBody());
  }

  @ExceptionHandler({NoHandlerFoundException.class, NoResourceFoundException.class})
  public ResponseEntity<Object> onNotFound() {
    return render(
        new Problem(ProblemType.NOT_FOUND, "see /swagger-ui.html for the available endpoints"));
  }

  @ExceptionHandler
  public ResponseEntity<Object> onStoreFailure(StoreException e) {
    log.error("a request is refused: {}", e.getMessage());
    return render(
        new Problem(
            ProblemType.RECORD_UNAVAILABLE, "the database does not answer", Duration.ofSeconds(5)));
  }

  /** Answers a header field or parameter that Spring Security's firewall refuses on reading. */
  @ExceptionHandler
  public ResponseEntity<Object> onRejected(RequestRejectedException e) {
    return render(
        new Problem(
            ProblemType.BAD_HTTP_REQUEST,
            "a header field or parameter contains invalid characters"));
  }

  /**
   * Handles answers that cannot be sent: the caller hung up, or was cut for reading too slowly.
   * Tomcat throws one of the exceptions, Spring the other while it writes a controller's answer.
   *
   * @return null: nobody is left to answer
   */
  @ExceptionHandler({ClientAbortException.class, AsyncRequestNotUsableException.class})
  public @Nullable ResponseEntity<Object> onHangUp(IOException e) {
    log.debug("a caller hung up within its answer: {}", e.getMessage());
    listener.hungUp();
    return null;
  }

  /** Blames the caller for Spring's other 4xx refusals; anything else is a defect. */
  @ExceptionHandler
  public ResponseEntity<Object> onOther(Exception e) {
    if (e instanceof ErrorResponse refused && refused.getStatusCode().is4xxClientError()) {
      return render(new Problem(ProblemType.BAD_HTTP_REQUEST, String.valueOf(e.getMessage())));
    }
    log.error("a request failed unexpectedly", e);
    return render(new Problem(ProblemType.INTERNAL, "see the service's log"));
  }

  private ResponseEntity<Object> render(Problem problem) {
    problem.type().markOn(current);
    listener.answered(problem.type());
    return problem.toResponse();
  }
}
