package org.keywell.service.ops.health;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.service.ca.CaWatch;

/** The CA: whether its key signs, and whether its certificates allow it to issue. */
public final class CaPart implements ReadinessPart {

  private final CaWatch ca;
  private final Instant validUntil;
  private final Moments moments;
  private @Nullable Instant since;

  /**
   * @param chain the CA's own certificates, at least one
   */
  public CaPart(CaWatch ca, List<X509Certificate> chain, Moments moments) {
    this.ca = ca;
    this.validUntil =
        Collections.min(
            chain.stream().map(certificate -> certificate.getNotAfter().toInstant()).toList());
    this.moments = moments;
  }

  @Override
  public String name() {
    return "ca";
  }

  @Override
  public synchronized PartState state() {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("validUntil", validUntil);
    ca.lastFailure()
        .ifPresent(failure -> {
          details.put("lastError", failure.detail());
          details.put("lastErrorAt", moments.at(failure.lastNanos()));
        });
    Optional<String> reason = reason();
    if (reason.isEmpty()) {
      since = null;
      return PartState.ready(details);
    }
    if (since == null) {
      since = moments.now();
    }
    return PartState.notReady(reason.get(), since, details);
  }

  private Optional<String> reason() {
    if (!ca.isValid()) {
      return Optional.of(
          "a certificate of the CA's chain is not valid now, or ends within"
              + " keywell.ca.profile.min-validity");
    }
    return ca.isDown()
        ? Optional.of("the CA's key failed " + CaWatch.FAILURES + " times in a row")
        : Optional.empty();
  }
}
