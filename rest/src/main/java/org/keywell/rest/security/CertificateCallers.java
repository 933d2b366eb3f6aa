package org.keywell.rest.security;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerRegister;

/**
 * Callers of a port that requests a client certificate. The caller is looked up for each request:
 * one removed from the file is refused from then on, even on open connections.
 */
final class CertificateCallers implements CallerSource {

  /** The attribute with the client's certificate chain (Servlet 6.1, section 3.10). */
  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  private final CallerRegister register;

  CertificateCallers(CallerRegister register) {
    this.register = register;
  }

  @Override
  public Caller of(HttpServletRequest request) {
    if (!(request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain)
        || chain.length == 0) {
      throw unknown("the client sent no certificate");
    }
    return register
        .of(chain[0])
        .orElseThrow(() -> unknown("keywell.security.callers-file lists no caller with it"));
  }

  private static CallerRefusedException unknown(String detail) {
    return new CallerRefusedException(new Problem(ProblemType.CALLER_UNKNOWN, detail), false);
  }
}
