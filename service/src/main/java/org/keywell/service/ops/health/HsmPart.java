package org.keywell.service.ops.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.pkcs11.DeviceState;
import org.keywell.keypool.hsm.pkcs11.DeviceState.Failure;

/** The HSM, by what its calls returned and whether they return at all. */
public final class HsmPart implements ReadinessPart {

  /** Longer than any key's generation takes. */
  static final Duration HANGS_AFTER = Duration.ofSeconds(60);

  private final DeviceState device;
  private final Supplier<Duration> oldestCall;
  private final Moments moments;

  /**
   * @param oldestCall how long the longest call in progress has been running
   */
  public HsmPart(DeviceState device, Supplier<Duration> oldestCall, Moments moments) {
    this.device = device;
    this.oldestCall = oldestCall;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "hsm";
  }

  @Override
  public PartState state() {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("loggedIn", device.isLoggedIn());
    details.put("lastSuccess", moments.at(device.lastSuccessNanos()));
    device
        .lastFailure()
        .ifPresent(failure -> {
          details.put("lastError", failure.message());
          details.put("lastErrorAt", moments.at(failure.lastNanos()));
        });
    Duration oldest = oldestCall.get();
    if (oldest.compareTo(HANGS_AFTER) >= 0) {
      return PartState.notReady(
          "a call has not returned for " + oldest.toSeconds() + " s",
          moments.now().minus(oldest),
          details);
    }
    Optional<Failure> down = device.down();
    return down.isEmpty()
        ? PartState.ready(details)
        : PartState.notReady(
            down.get().message() + ", " + down.get().inARow() + " times in a row",
            moments.at(down.get().firstNanos()),
            details);
  }
}
