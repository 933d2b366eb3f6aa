package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;
import org.keywell.settings.DeviceProperties;
import org.keywell.signing.ca.CaWatch;
import org.keywell.signing.ca.IssuingCas;

/**
 * For the CA in each device that signs: whether it can issue, its wrong signatures, and when its
 * certificates expire. Includes devices that were missing at the start.
 */
final class CaGauges implements MeterBinder {

  private final IssuingCas cas;
  private final List<String> devices;

  CaGauges(IssuingCas cas, List<DeviceProperties> devices) {
    this.cas = cas;
    this.devices =
        devices.stream()
            .filter(device -> device.role().signs())
            .map(DeviceProperties::name)
            .toList();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    boolean intermediates = cas.all().stream().anyMatch(ca -> ca.chain().size() > 2);
    for (String device : devices) {
      meters.gauge(
          "keywell.ca.up",
          "1 while the CA in this device can issue",
          () -> canIssue(device) ? 1 : 0,
          Meters.DEVICE,
          device);
      meters.counter(
          "keywell.ca.wrong.signatures",
          "Certificates not issued because the CA's signature did not verify",
          cas,
          all -> wrongSignatures(all, device),
          Meters.DEVICE,
          device);
      bind(meters, device, "issuing", chain -> chain.subList(0, 1));
      bind(meters, device, "root", chain -> chain.subList(chain.size() - 1, chain.size()));
      if (intermediates) {
        bind(meters, device, "intermediate", chain -> chain.subList(1, chain.size() - 1));
      }
    }
  }

  private boolean canIssue(String device) {
    return cas.all().stream().anyMatch(ca -> ca.device().equals(device) && ca.canIssue());
  }

  private static double wrongSignatures(IssuingCas cas, String device) {
    return cas.all().stream()
        .filter(ca -> ca.device().equals(device))
        .mapToLong(CaWatch::wrongSignatures)
        .sum();
  }

  private void bind(
      Meters meters,
      String device,
      String role,
      Function<List<X509Certificate>, List<X509Certificate>> certificates) {
    meters.gauge(
        "keywell.ca.certificate.expiry.timestamp.seconds",
        "notAfter of the CA's chain",
        () -> earliest(device, certificates),
        "certificate",
        role,
        Meters.DEVICE,
        device);
  }

  /** Returns NaN while the device is missing. */
  private double earliest(
      String device, Function<List<X509Certificate>, List<X509Certificate>> certificates) {
    return cas.all().stream()
        .filter(ca -> ca.device().equals(device))
        .map(CaWatch::chain)
        .flatMap(chain -> certificates.apply(chain).stream())
        .mapToDouble(certificate -> certificate.getNotAfter().toInstant().getEpochSecond())
        .min()
        .orElse(Double.NaN);
  }
}
