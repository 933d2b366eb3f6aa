package org.keywell.service.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
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
