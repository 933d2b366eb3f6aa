package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.keywell.settings.DeviceProperties;

/** Registers meters as docs/METRICS.md promises. */
final class Meters {

  /** The label that names a device. */
  static final String DEVICE = "device";

  /** The label that names a kind of key. */
  static final String KEY_SPEC = "key_spec";

  /** Both of the thesis's limits are bounds, so the share within each is exact. */
  private static final Duration[] BOUNDS = {
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(300),
    Duration.ofSeconds(1),
    Duration.ofSeconds(3),
    Duration.ofSeconds(10)
  };

  private final MeterRegistry registry;

  Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Registers a histogram of durations.
   *
   * @param tags names and values in turn
   */
  Timer timer(String name, String description, String... tags) {
    return Timer.builder(name)
        .description(description)
        .tags(tags)
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  /**
   * Registers a counter, at 0.
   *
   * @param tags names and values in turn
   */
  Counter counter(String name, String description, String... tags) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }

  /**
   * Registers a gauge, read at each scrape and kept alive by the registry.
   *
   * @param tags names and values in turn
   */
  void gauge(String name, String description, Supplier<? extends Number> value, String... tags) {
    Gauge _ =
        Gauge.builder(name, value, supplier -> supplier.get().doubleValue())
            .description(description)
            .tags(tags)
            .strongReference(true)
            .register(registry);
  }

  /**
   * Registers a counter, read at each scrape.
   *
   * @param counting has the count, and is kept alive by others
   * @param tags names and values in turn
   */
  <T> void counter(
      String name, String description, T counting, ToDoubleFunction<T> count, String... tags) {
    FunctionCounter _ =
        FunctionCounter.builder(name, counting, count)
            .description(description)
            .tags(tags)
            .register(registry);
  }

  /**
   * Registers a gauge for each device that signs.
   *
   * @param end of the certificates that something in a device, by its name, needs; empty without
   */
  void expiry(
      String name,
      String description,
      List<DeviceProperties> devices,
      Function<String, Optional<Instant>> end) {
    devices.stream()
        .filter(device -> device.role().signs())
        .map(DeviceProperties::name)
        .forEach(device ->
            gauge(
                name,
                description,
                () -> end.apply(device).map(at -> (double) at.getEpochSecond()).orElse(Double.NaN),
                DEVICE,
                device));
  }

  /** Returns NaN while unknown. */
  static double figure(OptionalLong figure) {
    return figure.isPresent() ? figure.getAsLong() : Double.NaN;
  }

  /** Returns a constant's name as a label value, such as {@code put_back}. */
  static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
