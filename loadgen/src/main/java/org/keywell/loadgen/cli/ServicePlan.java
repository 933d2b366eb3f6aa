package org.keywell.loadgen.cli;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * What an experiment that runs against services of its own has to prepare: keys, and the services'
 * settings.
 *
 * <p>The device works on one thing at a time, so nothing but signing may come to it during a run.
 * {@code max-stored} is 0: the generator makes no key. {@code batch-size} and {@code
 * loaded-capacity} are all the keys that the experiment needs, and some to spare, and {@code
 * low-water} is 1: the loader loads all of them at the start, in one batch, and has nothing to do
 * while more than none is left.
 *
 * @param keys how many there must be: stored first, then loaded
 * @param queueLimit requests that may wait
 * @param deadline the longest that a request may name
 * @param profile the device to imitate; null for none
 */
record ServicePlan(
    String keySpec, int keys, int queueLimit, Duration deadline, @Nullable String profile) {

  /** Keys that stay unused, so that the loader never has a reason to look. */
  static final int SPARE_KEYS = 50;

  /**
   * What is measured is a device with one lane, not a thread: while one thread hands a record over,
   * the device works for the other.
   */
  private static final int HANDLER_THREADS = 2;

  private static final Duration USUAL_MAX_DEADLINE = Duration.ofSeconds(60);
  private static final int USUAL_MAX_CONNECTIONS = 1_000;
  private static final int MOST_CONNECTIONS = 100_000;
  private static final List<String> TOLD =
      List.of(
          "KEYWELL_POOL_",
          "KEYWELL_SIGN_",
          "KEYWELL_HSM_PROFILE",
          "KEYWELL_HSM_MAXSESSIONS",
          "KEYWELL_HSM_UNWRAPSESSIONS",
          "KEYWELL_HTTP_MAXCONNECTIONS",
          "KEYWELL_JAVA_OPTS",
          "SPRING_LIFECYCLE_");

  /** Where a service's keys come from. */
  enum Mode {
    ON_THE_FLY,
    POOLED;

    /** As the service names it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What a service finds in its environment. */
  Map<String, String> environment(Mode mode) {
    Map<String, String> all = new TreeMap<>();
    all.put("KEYWELL_POOL_MODE", mode.toString());
    all.put(ServiceProgram.poolSetting(keySpec, "MAXSTORED"), "0");
    all.put(ServiceProgram.poolSetting(keySpec, "LOADEDCAPACITY"), Integer.toString(keys));
    all.put(ServiceProgram.poolSetting(keySpec, "LOWWATER"), "1");
    all.put(ServiceProgram.poolSetting(keySpec, "BATCHSIZE"), Integer.toString(keys));
    all.put("KEYWELL_SIGN_HANDLERTHREADS", Integer.toString(HANDLER_THREADS));
    all.put("KEYWELL_SIGN_QUEUELIMIT", Integer.toString(queueLimit));
    if (deadline.compareTo(USUAL_MAX_DEADLINE) > 0) {
      all.put("KEYWELL_SIGN_MAXDEADLINE", deadline.toSeconds() + "s");
      all.put("SPRING_LIFECYCLE_TIMEOUTPERSHUTDOWNPHASE", stop().toSeconds() + "s");
    }
    if (queueLimit > USUAL_MAX_CONNECTIONS / 2) {
      all.put(
          "KEYWELL_HTTP_MAXCONNECTIONS",
          Integer.toString(Math.min(2 * queueLimit, MOST_CONNECTIONS)));
    }
    if (profile != null) {
      all.put("KEYWELL_HSM_PROFILE", profile);
    }
    return all;
  }

  /** A service that is stopped finishes what it has accepted first. */
  private Duration stop() {
    return deadline.plusSeconds(10);
  }

  /** How long a service may take to end before it is killed. */
  Duration patience() {
    return stop().plusSeconds(20);
  }

  /** A slow device may take a good part of a second for each key that it loads. */
  Duration loadsWithin() {
    return Duration.ofSeconds(300 + keys);
  }

  /** The settings in a service's environment that have to do with its performance. */
  static List<String> told(Map<String, String> environment) {
    return new TreeMap<>(environment)
        .entrySet().stream()
            .filter(setting -> TOLD.stream().anyMatch(setting.getKey()::startsWith))
            .map(setting -> setting.getKey() + "=" + setting.getValue())
            .toList();
  }
}
