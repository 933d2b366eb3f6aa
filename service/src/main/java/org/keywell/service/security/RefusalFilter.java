package org.keywell.service.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.keywell.service.problem.ProblemType;
import org.keywell.service.request.SignRequest;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/** Tells, when a request is over, that it was answered with a problem, and whose it was. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class RefusalFilter extends OncePerRequestFilter {

  private static final String ON_RECORD = RefusalFilter.class.getName() + ".onRecord";

  private final List<RefusalListener> listeners;

  public RefusalFilter(List<RefusalListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  /** Notes the request for a signature that an HTTP request turned out to be. */
  public static void note(HttpServletRequest http, SignRequest request) {
    http.setAttribute(SignRequest.class.getName(), request);
  }

  /** Notes that what an HTTP request is answered with is on record. */
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
