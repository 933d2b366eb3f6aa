package org.keywell.rest.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the web server itself refuses, such as a request that is not HTTP, with a problem
 * document instead of an HTML page. Leaves out the server's message, since it quotes the request.
 */
public final class ProblemValve extends ErrorReportValve {

  private final ProblemWriter problems;

  public ProblemValve(ProblemWriter problems) {
    this.problems = problems;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    // HTTP/0.9 has no version, and its answers, without status and headers, pass for anything.
    if (request.getCoyoteRequest().protocol().equals("")) {
      response.sendError(HttpServletResponse.SC_HTTP_VERSION_NOT_SUPPORTED);
    }
    super.invoke(request, response);
    if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof ClientAbortException) {
      problems.hungUp();
    }
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (failure instanceof ClientAbortException
        || status < 400
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    AtomicBoolean connected = new AtomicBoolean(false);
    response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, connected);
    if (!connected.get()) {
      return;
    }
    try {
      problems.write(problem(status, request.getMethod()), status, request, response);
      response.finishResponse();
    } catch (IOException e) {
      container.getLogger().debug("an error could not be told", e);
    }
  }

  private static Problem problem(int status, String method) {
    return switch (status) {
      case 404 ->
          new Problem(ProblemType.NOT_FOUND, "see /swagger-ui.html for the available endpoints");
      case 405 -> new Problem(ProblemType.METHOD_NOT_ALLOWED, method + " is not allowed");
      case 503 ->
          new Problem(ProblemType.SHUTTING_DOWN, "the port is being closed", Duration.ofSeconds(5));
      case 501, 505 -> new Problem(ProblemType.BAD_HTTP_REQUEST, "the server speaks HTTP/1.1");
      default ->
          status < 500
              ? new Problem(
                  ProblemType.BAD_HTTP_REQUEST,
                  "the request line, header fields or body framing are invalid")
              : new Problem(ProblemType.INTERNAL, "see the service's log");
    };
  }
}
