package org.keywell.service.ops.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.HsmHealth.Failure;

/** The HSM, by what its calls returned and whether they return at all. */
public final class HsmPart implements ReadinessPart {

  /** Longer than any key's generation takes. */
  static final Duration HANGS_AFTER = Duration.ofSeconds(60);

  private final Supplier<HsmHealth> device;
  private final Moments moments;

  public HsmPart(Supplier<HsmHealth> device, Moments moments) {
    this.device = device;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "hsm";
  }

  @Override
  public PartState state() {
    HsmHealth health = device.get();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("loggedIn", health.loggedIn());
    details.put("lastSuccess", moments.at(health.lastSuccessNanos()));
    health
        .lastFailure()
        .ifPresent(failure -> {
          details.put("lastError", failure.message());
          details.put("lastErrorAt", moments.at(failure.lastNanos()));
        });
    Duration oldest = health.oldestCall();
    if (oldest.compareTo(HANGS_AFTER) >= 0) {
      return PartState.notReady(
          "a call has not returned for " + oldest.toSeconds() + " s",
          moments.now().minus(oldest),
          details);
    }
    Optional<Failure> down = health.down();
    return down.isEmpty()
        ? PartState.ready(details)
        : PartState.notReady(
            down.get().message() + ", " + down.get().inARow() + " times in a row",
            moments.at(down.get().firstNanos()),
            details);
  }
}
