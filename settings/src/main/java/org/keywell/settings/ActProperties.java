package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.acts.*}: signing acts in two calls.
 *
 * @param maxOpen acts that may be open at once at this instance, 0 to 10,000; 0: none. Each holds a
 *     key in an HSM
 * @param defaultTimeToLive how long an act stays open if its caller does not say
 * @param maxTimeToLive the longest time that a caller may request, up to five minutes
 */
public record ActProperties(
    @DefaultValue("100") int maxOpen,
    @DefaultValue("60s") Duration defaultTimeToLive,
    @DefaultValue("5m") Duration maxTimeToLive) {

  public ActProperties {
    require("keywell.acts.max-open", maxOpen, 0, 10_000);
    require("keywell.acts.max-time-to-live", maxTimeToLive, "1s", "5m");
    require(
        defaultTimeToLive.compareTo(Duration.ofSeconds(1)) >= 0
            && defaultTimeToLive.compareTo(maxTimeToLive) <= 0,
        "keywell.acts.default-time-to-live",
        defaultTimeToLive,
        "1s to max-time-to-live");
  }
}
