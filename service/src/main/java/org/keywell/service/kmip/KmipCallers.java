package org.keywell.service.kmip;

import java.security.cert.X509Certificate;
import java.util.function.Function;
import org.keywell.kmip.operation.KmipCaller;
import org.keywell.kmip.server.CallerRefusedException;
import org.keywell.rest.tls.CallerCertificates;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.caller.Role;
import org.keywell.signing.fairness.CallerRates;

/** Who a KMIP client is: the same callers as over HTTP, by the same checks. Thread-safe. */
final class KmipCallers implements Function<X509Certificate[], KmipCaller> {

  private final CallerCertificates certificates;
  private final CallerRegister register;
  private final CallerRates rates;

  KmipCallers(CallerCertificates certificates, CallerRegister register, CallerRates rates) {
    this.certificates = certificates;
    this.register = register;
    this.rates = rates;
  }

  /**
   * Returns the caller.
   *
   * @throws CallerRefusedException if its certificate is no longer valid, or nobody's
   */
  @Override
  public KmipCaller apply(X509Certificate[] chain) {
    String refusal = certificates.refusalText(chain);
    if (refusal != null) {
      throw new CallerRefusedException(chain[0].getSubjectX500Principal() + ": " + refusal);
    }
    return register
        .of(chain[0])
        .map(this::of)
        .orElseThrow(() ->
            new CallerRefusedException(
                chain[0].getSubjectX500Principal()
                    + " is no caller in keywell.security.callers-file"));
  }

  private KmipCaller of(Caller caller) {
    return new KmipCaller(
        caller.name(),
        caller.has(Role.MANAGE),
        caller.has(Role.EXPORT),
        () ->
            rates
                .take(caller)
                .map(_ ->
                    "the caller's rate-per-second is %d, its burst %d"
                        .formatted(caller.limits().ratePerSecond(), caller.limits().burst())));
  }
}
