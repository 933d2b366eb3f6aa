package org.keywell.loadgen.cli;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * What an experiment that runs against its own services must prepare: keys, and the services'
 * settings.
 *
 * <p>The device works on one thing at a time, so it must receive nothing but signing during a run.
 * {@code max-stored} is 0: the generator makes no key. {@code batch-size} and {@code
 * loaded-capacity} are all the keys that the experiment needs, and some to spare, and {@code
 * low-water} is 1: the loader loads all of them at the start, in one batch, and has nothing to do
 * while any is left.
 *
 * @param keys how many are needed: stored first, then loaded
 * @param queueLimit requests that may wait
 * @param deadline the longest that a request may name
 * @param profile the device to imitate; null for none
 */
record ServicePlan(
    String keySpec, int keys, int queueLimit, Duration deadline, @Nullable String profile) {

  /** Keys that stay unused, so that the loader never has a reason to load more. */
  static final int SPARE_KEYS = 50;

  /**
   * The device with its one lane is measured, not a thread: while one thread hands over a record,
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

  /** The source of a service's keys. */
  enum Mode {
    ON_THE_FLY,
    POOLED;

    /** Returns the service's name for it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Returns a service's environment. */
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

  /** A service finishes what it has accepted before it stops. */
  private Duration stop() {
    return deadline.plusSeconds(10);
  }

  /** Returns how long a service may take to end before it is killed. */
  Duration patience() {
    return stop().plusSeconds(20);
  }

  /** A slow device may take a good part of a second to load each key. */
  Duration loadsWithin() {
    return Duration.ofSeconds(300 + keys);
  }

  /** Returns the settings in a service's environment that affect its performance. */
  static List<String> told(Map<String, String> environment) {
    return new TreeMap<>(environment)
        .entrySet().stream()
            .filter(setting -> TOLD.stream().anyMatch(setting.getKey()::startsWith))
            .map(setting -> setting.getKey() + "=" + setting.getValue())
            .toList();
  }
}
