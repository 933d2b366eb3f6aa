package org.keywell.bench.rig;

import java.util.Map;
import java.util.TreeMap;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * The environment of a service of the suite: no key is generated, two threads sign, and EC keys are
 * loaded for its warm-up. A part adds or overrides settings.
 */
public final class ServiceSettings {
  private static final int HANDLER_THREADS = 2;

  /** Keys that are in use for signing take room of the loaded ones. */
  private static final int AT_WORK = 50;

  private final Map<String, String> environment = new TreeMap<>();

  public ServiceSettings() {
    var _ =
        with(ServiceProgram.poolSetting(Stock.RSA, "MAXSTORED"), "0")
            .with(ServiceProgram.poolSetting(Stock.EC, "MAXSTORED"), "0")
            .keptLoaded(Stock.EC, 900, 100)
            .handlerThreads(HANDLER_THREADS);
  }

  /** Keeps this many keys of a kind loaded: for each one taken, another is loaded. */
  public ServiceSettings keptLoaded(String keySpec, int keys, int batch) {
    return pool(keySpec, keys + AT_WORK, keys, batch);
  }

  /**
   * Loads this many keys of a kind when the last one is taken, and none before. Only one loader
   * does it: a second one would also fill the room for keys in use, and a burst of this many keys
   * would never take the last one.
   */
  public ServiceSettings loadedAtOnce(String keySpec, int keys) {
    return pool(keySpec, keys + AT_WORK, 1, keys).with("KEYWELL_HSM_UNWRAPSESSIONS", "1");
  }

  private ServiceSettings pool(String keySpec, int capacity, int lowWater, int batch) {
    return with(ServiceProgram.poolSetting(keySpec, "LOADEDCAPACITY"), Integer.toString(capacity))
        .with(ServiceProgram.poolSetting(keySpec, "LOWWATER"), Integer.toString(lowWater))
        .with(ServiceProgram.poolSetting(keySpec, "BATCHSIZE"), Integer.toString(batch));
  }

  public ServiceSettings handlerThreads(int threads) {
    return with("KEYWELL_SIGN_HANDLERTHREADS", Integer.toString(threads));
  }

  /** Adds any other setting, by its name in the environment. */
  public ServiceSettings with(String name, String value) {
    var _ = environment.put(name, value);
    return this;
  }

  public Map<String, String> environment() {
    return Map.copyOf(environment);
  }
}
