package org.keywell.rest.tls;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.problem.ProblemWriter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses callers whose certificate is no longer valid, for every request. Runs after the check of
 * host names and before the caller is identified.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
public final class CertificateFilter extends OncePerRequestFilter {

  /** The attribute with the client's certificate chain (Servlet 6.1, section 3.10). */
  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  private final @Nullable CallerCertificates certificates;
  private final ProblemWriter problems;

  /**
   * @param certificates null if a port requests none
   */
  public CertificateFilter(@Nullable CallerCertificates certificates, ProblemWriter problems) {
    this.certificates = certificates;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    @Nullable Problem problem =
        certificates != null
                && request.getAttribute(CERTIFICATES) instanceof X509Certificate[] shown
                && shown.length > 0
            ? certificates.refusal(shown)
            : null;
    if (problem == null) {
      chain.doFilter(request, response);
      return;
    }
    if (problem.type() != ProblemType.REVOCATION_UNKNOWN) {
      // No request on this connection will be served.
      response.setHeader(HttpHeaders.CONNECTION, "close");
    }
    problems.write(problem, request, response);
  }
}
