package org.keywell.service.ops.health;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.HsmHealth.Failure;

/** The HSM, by what its calls returned and whether they return at all. */
public final class HsmPart implements ReadinessPart {

  private final Supplier<HsmHealth> device;
  private final HsmHints hints = HsmHints.load();
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
    details.put("state", health.state().name().toLowerCase(Locale.ROOT));
    details.put("hint", hints.of(health));
    details.put("loggedIn", health.loggedIn());
    details.put("lastSuccess", moments.at(health.lastSuccessNanos()));
    health
        .lastFailure()
        .ifPresent(failure -> {
          details.put("lastError", failure.message());
          details.put("lastErrorAt", moments.at(failure.lastNanos()));
        });
    Optional<Failure> down = health.down();
    return down.isEmpty()
        ? PartState.ready(details)
        : PartState.notReady(reason(down.get()), moments.at(down.get().firstNanos()), details);
  }

  private static String reason(Failure failure) {
    return failure.inARow() == 1
        ? failure.message()
        : failure.message() + ", " + failure.inARow() + " times in a row";
  }
}
