package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import org.keywell.ca.ocsp.CertificateStatus;
import org.keywell.ca.ocsp.OcspAnswer;
import org.keywell.ca.ocsp.OcspAnswer.Failure;
import org.keywell.signing.revocation.OcspListener;

/** OCSP answers by result. Thread-safe. */
final class OcspMetrics implements OcspListener {

  private static final String NAME = "keywell.ocsp.answers";
  private static final String DESCRIPTION =
      "Certificates asked about over OCSP by status, and requests without an answer by failure";

  private final Counter good;
  private final Counter revoked;
  private final Counter unknown;
  private final Map<Failure, Counter> failed = new EnumMap<>(Failure.class);

  OcspMetrics(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    this.good = counter(meters, "good");
    this.revoked = counter(meters, "revoked");
    this.unknown = counter(meters, "unknown");
    for (Failure failure : Failure.values()) {
      failed.put(failure, counter(meters, Meters.label(failure)));
    }
  }

  private static Counter counter(Meters meters, String result) {
    return meters.counter(NAME, DESCRIPTION, "result", result);
  }

  @Override
  public void answered(OcspAnswer answer) {
    switch (answer) {
      case OcspAnswer.Answered answered ->
          answered.statuses().forEach(status -> of(status).increment());
      case OcspAnswer.Failed(Failure failure) -> {
        Counter counter = failed.get(failure);
        if (counter != null) {
          counter.increment();
        }
      }
    }
  }

  private Counter of(CertificateStatus status) {
    return switch (status) {
      case CertificateStatus.Good _ -> good;
      case CertificateStatus.Revoked _ -> revoked;
      case CertificateStatus.Unknown _ -> unknown;
    };
  }
}
