package org.keywell.operations.health;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.ca.CaWatch;
import org.keywell.signing.ca.IssuingCas;

/**
 * The CAs: whether their keys sign, and whether their certificates allow them to issue. Ready while
 * one can. Not at fault if all their devices fail. Warns well before a certificate ends.
 */
public final class CaPart implements ReadinessPart {

  private static final String NOT_VALID =
      "a certificate of the CA's chain is not valid now, or ends within"
          + " keywell.ca.profile.min-validity";
  private static final String DOWN = "the CA's key failed " + CaWatch.FAILURES + " times in a row";
  private static final String DEVICE_FAILS = "its HSM fails";

  private final IssuingCas cas;
  private final Moments moments;
  private @Nullable Instant since;

  public CaPart(IssuingCas cas, Moments moments) {
    this.cas = cas;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "ca";
  }

  @Override
  public synchronized PartState state() {
    List<CaWatch> all = cas.all();
    return state(all, Map.of("devices", byDevice(all))).warning(warnings(all));
  }

  private PartState state(List<CaWatch> all, Map<String, Object> details) {
    Optional<String> reason = reason(all);
    if (reason.isEmpty()) {
      since = null;
      return PartState.ready(details);
    }
    if (since == null) {
      since = moments.now();
    }
    return PartState.notReady(reason.get(), since, details);
  }

  private List<String> warnings(List<CaWatch> all) {
    Instant now = moments.now();
    return all.stream()
        .flatMap(ca ->
            CaExpiry.warnings(ca.chain(), now).stream()
                .map(warning -> all.size() == 1 ? warning : ca.device() + ": " + warning))
        .toList();
  }

  private static Optional<String> reason(List<CaWatch> all) {
    boolean oneCan = all.stream().anyMatch(ca -> reason(ca).isEmpty());
    boolean noDeviceWorks =
        all.stream().allMatch(ca -> reason(ca).equals(Optional.of(DEVICE_FAILS)));
    if (oneCan || noDeviceWorks) {
      return Optional.empty();
    }
    return all.size() == 1
        ? reason(all.getFirst())
        : Optional.of(
            all.stream()
                .map(ca -> ca.device() + ": " + reason(ca).orElse(DEVICE_FAILS))
                .collect(Collectors.joining("; ")));
  }

  private static Optional<String> reason(CaWatch ca) {
    if (!ca.isValid()) {
      return Optional.of(NOT_VALID);
    }
    if (ca.isDown()) {
      return Optional.of(DOWN);
    }
    return ca.canIssue() ? Optional.empty() : Optional.of(DEVICE_FAILS);
  }

  private Map<String, Object> byDevice(List<CaWatch> all) {
    Map<String, Object> devices = new LinkedHashMap<>();
    for (CaWatch ca : all) {
      Map<String, Object> details = new LinkedHashMap<>();
      reason(ca).ifPresent(reason -> details.put("reason", reason));
      putDetails(ca, details);
      devices.put(ca.device(), details);
    }
    return devices;
  }

  private void putDetails(CaWatch ca, Map<String, Object> details) {
    ca.chain().stream()
        .map(certificate -> certificate.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .ifPresent(validUntil -> details.put("validUntil", validUntil));
    ca.lastFailure()
        .ifPresent(failure -> {
          details.put("lastError", failure.detail());
          details.put("lastErrorAt", moments.at(failure.lastNanos()));
        });
  }
}
