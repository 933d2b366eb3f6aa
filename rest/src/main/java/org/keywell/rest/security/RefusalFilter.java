package org.keywell.rest.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.keywell.rest.problem.ProblemType;
import org.keywell.signing.request.SignRequest;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/** Reports each request that was answered with a problem, once it is over, and whose it was. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class RefusalFilter extends OncePerRequestFilter {

  private static final String ON_RECORD = RefusalFilter.class.getName() + ".onRecord";

  private final List<RefusalListener> listeners;

  public RefusalFilter(List<RefusalListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  /** Notes the signing request that an HTTP request contains. */
  public static void note(HttpServletRequest http, SignRequest request) {
    http.setAttribute(SignRequest.class.getName(), request);
  }

  /** Notes that the answer to an HTTP request is on record. */
  public static void noteOnRecord(HttpServletRequest http) {
    http.setAttribute(ON_RECORD, true);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest http, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      chain.doFilter(http, response);
    } finally {
      ProblemType problem = ProblemType.markedOn(http);
      if (problem != null) {
        tell(problem, http);
      }
    }
  }

  private void tell(ProblemType problem, HttpServletRequest http) {
    SignRequest request = (SignRequest) http.getAttribute(SignRequest.class.getName());
    RefusedRequest refused =
        new RefusedRequest(
            problem,
            CurrentCaller.nameOf(http),
            request == null ? null : request.requestId(),
            request == null ? null : request.identity(),
            http.getAttribute(ON_RECORD) != null);
    listeners.forEach(listener -> listener.refused(refused));
  }
}
