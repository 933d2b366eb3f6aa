package org.keywell.rest.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.keywell.signing.caller.Caller;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.web.filter.OncePerRequestFilter;

/** Determines the sender of each request; the chain forgets it when the request is over. */
final class CallerFilter extends OncePerRequestFilter {

  private final CallerSource callers;

  CallerFilter(CallerSource callers) {
    this.callers = callers;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Caller caller = callers.of(request);
    CurrentCaller.set(request, caller);
    SecurityContextHolder.setContext(new SecurityContextImpl(new CallerAuthentication(caller)));
    chain.doFilter(request, response);
  }
}
