package org.keywell.rest.ca;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Takes OCSP requests out of the addresses that they are in (RFC 6960, appendix A.1): base64 has
 * slashes, with which an address would be refused or mean another. Base64url, which some clients
 * send, has none.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 99)
final class OcspAddresses extends OncePerRequestFilter {

  /** With a request of as many characters in base64, each of which may be escaped. */
  static final Pattern WITH_REQUEST =
      Pattern.compile("(/ca/ocsp/[0-9a-f]{40})/([A-Za-z0-9+/=_%-]{1,4096})");

  private static final String REQUEST = OcspAddresses.class.getName();

  /** Returns the request in the address; empty if there is none, or not in base64. */
  static byte[] request(HttpServletRequest http) {
    return http.getAttribute(REQUEST) instanceof byte[] request ? request : new byte[0];
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest http, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Matcher address = WITH_REQUEST.matcher(http.getRequestURI());
    if (!"GET".equals(http.getMethod()) || !address.matches()) {
      chain.doFilter(http, response);
      return;
    }
    http.setAttribute(REQUEST, decoded(address.group(2)));
    chain.doFilter(new Without(http, address.group(1)), response);
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getDecoder()
          .decode(
              URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.US_ASCII)
                  .replace('-', '+')
                  .replace('_', '/'));
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static final class Without extends HttpServletRequestWrapper {
    private final String path;

    Without(HttpServletRequest http, String path) {
      super(http);
      this.path = path;
    }

    @Override
    public String getRequestURI() {
      return path;
    }

    @Override
    public String getServletPath() {
      return path;
    }
  }
}
