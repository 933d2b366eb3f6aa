package org.keywell.operations.health;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.keywell.keypool.hsm.HsmHealth;

/**
 * The HSMs, by what their calls return and whether they return at all. Ready while one that signs
 * works.
 */
public final class HsmPart implements ReadinessPart {

  private final Supplier<List<DeviceHealth>> devices;
  private final Supplier<List<String>> lost;
  private final HsmHints hints = HsmHints.load();
  private final Moments moments;

  public HsmPart(Supplier<List<DeviceHealth>> devices, Moments moments) {
    this(devices, List::of, moments);
  }

  /**
   * @param lost keys that the tokens should have
   */
  public HsmPart(
      Supplier<List<DeviceHealth>> devices, Supplier<List<String>> lost, Moments moments) {
    this.devices = devices;
    this.lost = lost;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "hsm";
  }

  @Override
  public PartState state() {
    return state(devices.get()).warning(lost.get());
  }

  private PartState state(List<DeviceHealth> now) {
    Map<String, Object> byName = new LinkedHashMap<>();
    now.forEach(device -> byName.put(device.name(), details(device)));
    Map<String, Object> details = Map.of("devices", byName);
    List<DeviceHealth> signing = now.stream().filter(DeviceHealth::signs).toList();
    return signing.stream().anyMatch(device -> device.health().down().isEmpty())
        ? PartState.ready(details)
        : PartState.notReady(reason(signing), since(signing), details);
  }

  private static String reason(List<DeviceHealth> down) {
    return down.stream()
        .map(device ->
            (down.size() == 1 ? "" : device.name() + ": ") + device.reason().orElse("works"))
        .collect(Collectors.joining("; "));
  }

  /** Returns when the last one failed. */
  private Instant since(List<DeviceHealth> down) {
    return down.stream()
        .flatMap(device -> device.health().down().stream())
        .map(failure -> moments.at(failure.firstNanos()))
        .max(Comparator.naturalOrder())
        .orElseGet(moments::now);
  }

  private Map<String, Object> details(DeviceHealth device) {
    HsmHealth health = device.health();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("state", health.state().name().toLowerCase(Locale.ROOT));
    details.put("hint", hints.of(health));
    device.reason().ifPresent(reason -> details.put("reason", reason));
    health.down().ifPresent(down -> details.put("since", moments.at(down.firstNanos())));
    details.put("loggedIn", health.loggedIn());
    details.put("lastSuccess", moments.at(health.lastSuccessNanos()));
    health
        .lastFailure()
        .ifPresent(failure -> {
          details.put("lastError", failure.message());
          details.put("lastErrorAt", moments.at(failure.lastNanos()));
        });
    return details;
  }
}
