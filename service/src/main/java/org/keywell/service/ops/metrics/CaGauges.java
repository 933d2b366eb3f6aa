package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.cert.X509Certificate;
import java.util.List;
import org.keywell.ca.CertificateAuthority;

/** When the CA's certificates expire. */
final class CaGauges implements MeterBinder {

  private final List<X509Certificate> chain;

  CaGauges(CertificateAuthority ca) {
    this.chain = ca.chain();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    bind(meters, "issuing", chain.subList(0, 1));
    bind(meters, "root", chain.subList(chain.size() - 1, chain.size()));
    if (chain.size() > 2) {
      bind(meters, "intermediate", chain.subList(1, chain.size() - 1));
    }
  }

  private static void bind(Meters meters, String role, List<X509Certificate> certificates) {
    double earliest =
        certificates.stream()
            .mapToLong(certificate -> certificate.getNotAfter().toInstant().getEpochSecond())
            .min()
            .orElseThrow();
    meters.gauge(
        "keywell.ca.certificate.expiry.timestamp.seconds",
        "notAfter of the CA's chain",
        () -> earliest,
        "certificate",
        role);
  }
}
