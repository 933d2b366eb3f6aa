package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import org.keywell.service.ca.CaWatch;
import org.keywell.service.ca.IssuingCas;

/** For the CA in each device: whether it can issue, and when its certificates expire. */
final class CaGauges implements MeterBinder {

  private final List<CaWatch> cas;

  CaGauges(IssuingCas cas) {
    this.cas = cas.all();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    for (CaWatch ca : cas) {
      meters.gauge(
          "keywell.ca.up",
          "1 while the CA in this device can issue",
          () -> ca.canIssue() ? 1 : 0,
          "device",
          ca.device());
      bind(meters, ca, "issuing", () -> ca.chain().subList(0, 1));
      bind(meters, ca, "root", () -> List.of(ca.chain().getLast()));
      if (ca.chain().size() > 2) {
        bind(meters, ca, "intermediate", () -> ca.chain().subList(1, ca.chain().size() - 1));
      }
    }
  }

  private static void bind(
      Meters meters, CaWatch ca, String role, Supplier<List<X509Certificate>> certificates) {
    meters.gauge(
        "keywell.ca.certificate.expiry.timestamp.seconds",
        "notAfter of the CA's chain",
        () -> earliest(certificates.get()),
        "certificate",
        role,
        "device",
        ca.device());
  }

  private static double earliest(List<X509Certificate> certificates) {
    return certificates.stream()
        .mapToDouble(certificate -> certificate.getNotAfter().toInstant().getEpochSecond())
        .min()
        .orElse(Double.NaN);
  }
}
