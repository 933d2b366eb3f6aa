package org.keywell.loadgen.cli;

import java.io.IOException;
import java.util.List;
import org.keywell.client.PoolStatus;

/** The keys that a run takes from a service's pool; without them it measures refusals. */
record KeyDemand(String keySpec, int keys) {

  /** The kinds of keys that Keywell generates, as the HTTP contract names them. */
  static final List<String> KINDS =
      List.of("RSA-2048", "RSA-3072", "RSA-4096", "EC-P256", "EC-P384");

  /**
   * Checks that the service has a pool of this kind and, if keys are pooled, enough of them.
   *
   * @param anyway accept too few keys
   * @throws MisuseException if the service has no pool of this kind
   * @throws IOException if there are too few keys; the message says how to generate them
   */
  void requireOf(PoolStatus service, boolean anyway) throws MisuseException, IOException {
    if (service.pools().stream().noneMatch(pool -> pool.keySpec().equals(keySpec))) {
      throw new MisuseException(
          "the service has no pool of %s keys; its setting keywell.pool.specs.%s.max-stored gives it one"
              .formatted(keySpec, keySpec));
    }
    int held = service.depth(keySpec);
    if (service.isPooled() && held < keys && !anyway) {
      throw new IOException(
          "the service has %d %s keys, and the run's %d requests take one each; make them:"
                  .formatted(held, keySpec, keys)
              + " ./keywell fill %d --key-spec %s (or go on with --anyway)"
                  .formatted(keys, keySpec));
    }
  }
}
