package org.keywell.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import org.keywell.service.caller.Caller;

/** Who sent a request, as far as the transport proves it. */
public final class CurrentCaller {

  /** The servlet specification's attribute for the client's chain (Servlet 6.1, section 3.9). */
  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  private CurrentCaller() {}

  /** The name of who sent a request; {@link RefusedRequest#NOBODY} if that is no caller. */
  static String nameOf(HttpServletRequest request) {
    return of(request).name();
  }

  /** The caller of the subject of the TLS client's certificate (RFC 2253 form), or of loopback. */
  public static Caller of(HttpServletRequest request) {
    Caller local = Caller.onLoopback();
    return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain && chain.length > 0
        ? new Caller(
            chain[0].getSubjectX500Principal().getName(),
            local.roles(),
            local.keySpecs(),
            local.profiles(),
            local.identity(),
            local.limits())
        : local;
  }
}
