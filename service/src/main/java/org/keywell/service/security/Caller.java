package org.keywell.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;

/** Who sent a request, as far as the transport proves it. */
public final class Caller {

  /** The servlet specification's attribute for the client's chain (Servlet 6.1, section 3.9). */
  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  private Caller() {}

  /** The subject of the TLS client's certificate (RFC 2253 form), or {@code loopback}. */
  public static String of(HttpServletRequest request) {
    return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain && chain.length > 0
        ? chain[0].getSubjectX500Principal().getName()
        : "loopback";
  }
}
