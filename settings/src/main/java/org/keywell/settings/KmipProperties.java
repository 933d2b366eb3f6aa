package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * {@code keywell.kmip.*}.
 *
 * @param enabled whether the service listens for KMIP clients
 * @param port 0: any free one
 * @param bundle the name of a Spring SSL bundle with the port's certificate and the authorities of
 *     clients; required if it listens
 * @param maxConnections connections that are open at the same time, 1 to 10,000
 * @param idleTimeout how long a connection may stay without a request, 1 s to a day
 * @param messageTimeout how long a handshake, a request or an answer may be in transit, 100 ms to
 *     10 min
 * @param maxMessage the largest request, 1 KB to 16 MB
 * @param wrappingKeyLabel the AES key of each token that wraps managed keys
 * @param pool kinds of key of which pairs are made ahead of time; an unlisted kind has no pool
 * @param databaseConnections connections to the database, apart from those of {@code
 *     keywell.database}, 1 to 50
 * @param privateKeysLeave whether private keys are handed to their owners in clear
 * @param clearKeysLeave whether symmetric keys and secrets are
 */
public record KmipProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("127.0.0.1") InetAddress address,
    @DefaultValue("5696") int port,
    @Nullable String bundle,
    @DefaultValue("200") int maxConnections,
    @DefaultValue("5m") Duration idleTimeout,
    @DefaultValue("10s") Duration messageTimeout,
    @DefaultValue("1MB") DataSize maxMessage,
    @DefaultValue("keywell-managed") String wrappingKeyLabel,
    Map<String, Limits> pool,
    @DefaultValue("4") int databaseConnections,
    @DefaultValue("false") boolean privateKeysLeave,
    @DefaultValue("true") boolean clearKeysLeave) {

  /** {@code keywell.kmip.pool.<spec>.*}. */
  public record Limits(@DefaultValue("1000") int maxStored) {}

  public KmipProperties {
    require("keywell.kmip.port", port, 0, 65_535);
    require("keywell.kmip.max-connections", maxConnections, 1, 10_000);
    require("keywell.kmip.idle-timeout", idleTimeout, "1s", "1d");
    require("keywell.kmip.message-timeout", messageTimeout, "100ms", "10m");
    require(
        maxMessage.toBytes() >= 1024 && maxMessage.toBytes() <= 16 << 20,
        "keywell.kmip.max-message",
        maxMessage,
        "1KB-16MB");
    require("keywell.kmip.database-connections", databaseConnections, 1, 50);
    int length = wrappingKeyLabel.getBytes(StandardCharsets.UTF_8).length;
    require(
        length >= 1 && length <= 64 && !wrappingKeyLabel.endsWith(" "),
        "keywell.kmip.wrapping-key-label",
        "'" + wrappingKeyLabel + "'",
        "1-64 bytes without a trailing space");
    bundle = bundle == null || bundle.isBlank() ? null : bundle;
    if (enabled && bundle == null) {
      throw new IllegalArgumentException(
          "keywell.kmip.enabled is true, which needs keywell.kmip.bundle: the name of an SSL bundle");
    }
    // Binding yields null if no kind is configured.
    pool =
        pool == null || pool.isEmpty()
            ? Map.of(KeySpec.RSA_2048.label(), new Limits(1000))
            : Map.copyOf(pool);
    maxStored(pool);
  }

  /** Returns how many pairs of each kind are stored at most. */
  public Map<KeySpec, Integer> maxStored() {
    return maxStored(pool);
  }

  private static Map<KeySpec, Integer> maxStored(Map<String, Limits> pool) {
    Map<KeySpec, Integer> most = new EnumMap<>(KeySpec.class);
    pool.forEach((name, limits) -> {
      KeySpec spec = PoolProperties.spec("keywell.kmip.pool", name);
      require(
          spec.algorithm() != KeySpec.Algorithm.ML_DSA,
          "keywell.kmip.pool",
          spec,
          "RSA and EC, the kinds that KMIP 2.1 names");
      require("keywell.kmip.pool." + spec + ".max-stored", limits.maxStored(), 0, 10_000_000);
      // A file and the environment may spell a kind differently.
      Integer other = most.put(spec, limits.maxStored());
      if (other != null && other != limits.maxStored()) {
        throw new IllegalArgumentException(
            "keywell.kmip.pool names " + spec + " twice, with different limits");
      }
    });
    return Map.copyOf(most);
  }
}
