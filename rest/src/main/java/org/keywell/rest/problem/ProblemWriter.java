package org.keywell.rest.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/** Answers with a problem document outside controllers, and counts it. Thread-safe. */
public final class ProblemWriter {

  private final ProblemListener listener;

  public ProblemWriter(ProblemListener listener) {
    this.listener = listener;
  }

  /** Answers a request for which nothing has been sent yet. */
  public void write(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    write(problem, problem.type().status().value(), request, response);
  }

  /** Counts a caller that hung up outside controllers. */
  void hungUp() {
    listener.hungUp();
  }

  /** Answers a request before its body is read, as the door does. */
  public void turnAway(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    @Nullable TurningAway door = TurningAway.of(request);
    if (door == null) {
      write(problem, request, response);
      return;
    }
    problem.type().markOn(request);
    listener.answered(problem.type());
    response.setStatus(problem.type().status().value());
    door.answer(problem);
  }

  /**
   * @param status a more precise status than the problem type's
   */
  void write(Problem problem, int status, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    problem.type().markOn(request);
    listener.answered(problem.type());
    byte[] json = problem.document(status);
    response.setStatus(status);
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    if (problem.retryAfter() != null) {
      response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(problem.retryAfterSeconds()));
    }
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }
}
