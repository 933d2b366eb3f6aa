package org.keywell.bench.rig;

import java.util.Map;
import java.util.TreeMap;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * What a service of the suite finds in its environment: no key is generated, two threads sign, and
 * EC keys are loaded for its warm-up; and whatever a part wants besides, or otherwise.
 */
public final class ServiceSettings {
  private static final int HANDLER_THREADS = 2;

  /** Keys that are being signed with take room of the loaded ones. */
  private static final int AT_WORK = 50;

  private final Map<String, String> environment = new TreeMap<>();

  public ServiceSettings() {
    var _ =
        with(ServiceProgram.poolSetting(Stock.RSA, "MAXSTORED"), "0")
            .with(ServiceProgram.poolSetting(Stock.EC, "MAXSTORED"), "0")
            .keptLoaded(Stock.EC, 900, 100)
            .handlerThreads(HANDLER_THREADS);
  }

  /** As many keys of a kind are kept loaded: for each that is taken, another one is loaded. */
  public ServiceSettings keptLoaded(String keySpec, int keys, int batch) {
    return pool(keySpec, keys + AT_WORK, keys, batch);
  }

  /**
   * As many keys of a kind are loaded when the last one is taken, and none before. One loader does
   * it: a second one would fill the room of the keys at work as well, and a burst of as many keys
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

  /** Any other setting, by its name in the environment. */
  public ServiceSettings with(String name, String value) {
    var _ = environment.put(name, value);
    return this;
  }

  public Map<String, String> environment() {
    return Map.copyOf(environment);
  }
}
