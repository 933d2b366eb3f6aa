package org.keywell.rest.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.settings.SecurityProperties;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses what a foreign web page makes a browser on this machine send: to a name in that page's
 * domain that leads here (DNS rebinding), or across origins.
 *
 * <p>Only browsers are meant, and they always say which host they address. An HTTP/1.0 request that
 * names none counts as addressed to localhost.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
public final class HostFilter extends OncePerRequestFilter {

  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  private final Set<String> hosts;
  private final boolean anyHost;
  private final @Nullable Integer publicPort;
  private final ProblemWriter problems;

  /**
   * @param tls whether the port uses TLS: its certificate then shows the browser whether the name
   *     is the service's, so without configured names any name is accepted
   * @param publicPort where everyone may read what is there, by any name; null: there is none
   */
  public HostFilter(
      SecurityProperties properties,
      boolean tls,
      @Nullable Integer publicPort,
      ProblemWriter problems) {
    this.hosts = new HashSet<>(LOOPBACK);
    this.hosts.addAll(properties.hosts());
    this.anyHost = tls && properties.hosts().isEmpty();
    this.publicPort = publicPort;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Problem problem = problem(request);
    if (problem == null) {
      chain.doFilter(request, response);
    } else {
      problems.write(problem, request, response);
    }
  }

  private @Nullable Problem problem(HttpServletRequest request) {
    if (publicPort != null && request.getLocalPort() == publicPort) {
      return null;
    }
    if (!anyHost && !hosts.contains(request.getServerName().toLowerCase(Locale.ROOT))) {
      return new Problem(
          ProblemType.HOST_NOT_ALLOWED,
          "allowed: localhost, 127.0.0.1, [::1] and the names in keywell.security.hosts");
    }
    String origin = request.getHeader("Origin");
    if (origin != null && !origin.equalsIgnoreCase(origin(request))) {
      return new Problem(ProblemType.FOREIGN_ORIGIN, "Origin is not the service's own");
    }
    if ("cross-site".equals(request.getHeader("Sec-Fetch-Site"))) {
      return new Problem(ProblemType.FOREIGN_ORIGIN, "Sec-Fetch-Site is cross-site");
    }
    return null;
  }

  /** Returns the origin of this service's own pages at the requested address (RFC 6454). */
  private static String origin(HttpServletRequest request) {
    String scheme = request.getScheme();
    int port = request.getServerPort();
    String origin = scheme + "://" + request.getServerName();
    return port == ("https".equals(scheme) ? 443 : 80) ? origin : origin + ":" + port;
  }
}
