package org.keywell.service.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/** Answers with a problem document where no controller is at hand, and counts it. Thread-safe. */
public final class ProblemWriter {

  private final ProblemListener listener;

  public ProblemWriter(ProblemListener listener) {
    this.listener = listener;
  }

  /** Answers a request of which nothing has been answered yet. */
  public void write(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    write(problem, problem.type().status().value(), request, response);
  }

  /** Counts a caller who hung up where no controller is at hand. */
  void hungUp() {
    listener.hungUp();
  }

  /** Answers a request of which nothing has been read, as the door does. */
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
   * @param status what HTTP calls it more precisely than the problem's type does
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
