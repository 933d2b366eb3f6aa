package org.keywell.rest.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.problem.ProblemWriter;
import org.springframework.http.HttpHeaders;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.RequestRejectedHandler;

/** Answers callers that are not let in with problem documents. */
final class Refusals
    implements AuthenticationEntryPoint, AccessDeniedHandler, RequestRejectedHandler {

  private final ProblemWriter problems;

  Refusals(ProblemWriter problems) {
    this.problems = problems;
  }

  /** Answers an unknown caller. */
  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException e)
      throws IOException {
    if (!(e instanceof CallerRefusedException refused)) {
      throw e;
    }
    if (refused.mayShowToken()) {
      response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"keywell\"");
      response.addHeader(
          HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"keywell\", charset=\"UTF-8\"");
    }
    problems.write(refused.problem(), request, response);
  }

  /** Answers a request that is not allowed. */
  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException e)
      throws IOException {
    if (!(e instanceof EndpointRefusedException refused)) {
      throw e;
    }
    if (!refused.allowedMethods().isEmpty()) {
      response.setHeader(HttpHeaders.ALLOW, String.join(", ", refused.allowedMethods()));
    }
    problems.write(refused.problem(), request, response);
  }

  /** Answers a request with an ambiguous address. */
  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, RequestRejectedException e)
      throws IOException {
    problems.write(
        new Problem(ProblemType.BAD_HTTP_REQUEST, "the address or a header field is ambiguous"),
        request,
        response);
  }
}
