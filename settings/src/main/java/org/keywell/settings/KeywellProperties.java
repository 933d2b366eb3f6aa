package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.token.CaKeyLabels;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.PoolLimits;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * All of {@code keywell.*}, checked once at the start; an unknown key stops it.
 *
 * @param home the data directory of the embedded parts
 * @param instance this instance's name in records; unique among those that share a database, stable
 *     across restarts
 * @param startPatience how long a start waits for a database or HSM that is not available yet, 0 to
 *     an hour; 0: not at all
 * @param warmUp how long the service rehearses signing before it is ready, 0 to a minute; 0: not at
 *     all
 * @param stopLimit how long a stop may last, 5 s to 10 min; then the process ends at once
 * @param trialFiles a directory whose test files are served, for measurements of TLS on this
 *     machine; null: none
 */
@ConfigurationProperties(prefix = "keywell", ignoreUnknownFields = false)
public record KeywellProperties(
    @DefaultValue(".keywell") Path home,
    @DefaultValue("keywell-1") String instance,
    @DefaultValue(START_PATIENCE) Duration startPatience,
    @DefaultValue("3s") Duration warmUp,
    @DefaultValue("30s") Duration stopLimit,
    @Nullable Path trialFiles,
    @DefaultValue HsmProperties hsm,
    @DefaultValue DatabaseProperties database,
    @DefaultValue PoolProperties pool,
    @DefaultValue SignProperties sign,
    @DefaultValue ActProperties acts,
    @DefaultValue CaProperties ca,
    @DefaultValue LogProperties log,
    @DefaultValue ConsoleProperties console,
    @DefaultValue SecurityProperties security,
    @DefaultValue IdentityProperties identity,
    @DefaultValue HttpProperties http,
    @DefaultValue KmipProperties kmip,
    @DefaultValue XksProperties xks,
    @DefaultValue ServerKeyProperties serverKey,
    @DefaultValue JmsProperties jms,
    @DefaultValue TsaProperties tsa) {

  /** The default, for a start that fails before the settings are read. */
  public static final String START_PATIENCE = "60s";

  /** From the end of the longest wait for HSM or database to the answer. */
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  public KeywellProperties {
    home = home.toAbsolutePath().normalize();
    if (!INSTANCE.matcher(instance).matches()) {
      throw new IllegalArgumentException(
          "keywell.instance has 1 to 64 of A-Z a-z 0-9 . _ -: '" + instance + "'");
    }
    require("keywell.start-patience", startPatience, "0", "1h");
    require("keywell.warm-up", warmUp, "0", "1m");
    require("keywell.stop-limit", stopLimit, "5s", "10m");
    if (trialFiles != null) {
      requireTrial(trialFiles, database, log, security, identity);
    }
    List<DeviceProperties> devices = hsm.devices();
    devices.forEach(device -> requireSessions(device, sign, pool, xks));
    requireConnections(devices, pool, database);
    requireGeneratingSigner(devices, pool);
    requireRoomForTickets(identity, sign);
    requireRoomForKeys(sign, acts, pool);
    if (kmip.enabled()) {
      requireCallers("keywell.kmip.enabled", security);
      requireOwnWrappingKey(devices, kmip);
    }
    if (serverKey.label() != null) {
      requireOwnKey(serverKey.label(), ca, log);
      requireSigning(serverKey.device(), devices);
    }
    if (jms.enabled()) {
      requireCallers("keywell.jms.enabled", security);
    }
    if (tsa.enabled()) {
      requireOwnServiceKey("keywell.tsa.key-label", tsa.keyLabel(), serverKey, ca, log);
    }
    if (ca.ocsp().uri() != null) {
      String setting = "keywell.ca.ocsp.key-label";
      requireOwnServiceKey(setting, ca.ocsp().keyLabel(), serverKey, ca, log);
      requireOther(setting, ca.ocsp().keyLabel(), tsa.keyLabel(), "keywell.tsa.key-label");
    }
  }

  /**
   * Returns how long a caller waits beyond its deadline: until the longest wait for HSM or database
   * is over, by which time the request has ended.
   */
  public Duration answerGrace() {
    Duration database = database().outcomePatience();
    Duration device = hsm().callLimit();
    return (database.compareTo(device) > 0 ? database : device).plus(ANSWER);
  }

  /** Returns the device that keeps managed keys: the first that generates; empty without KMIP. */
  public Optional<DeviceProperties> managedDevice() {
    return kmip.enabled()
        ? hsm.devices().stream().filter(device -> device.role().generates()).findFirst()
        : Optional.empty();
  }

  /**
   * Returns the private and secret keys that a token may keep besides its device's wrapping keys
   * and those that the database names: labels of those of Keywell, in use or not, and labels or ids
   * of those that operators know.
   */
  public Set<String> tokenKeys() {
    Set<String> keys = new HashSet<>(hsm.knownTokenKeys());
    keys.add(kmip.wrappingKeyLabel());
    keys.addAll(CaKeyLabels.all(ca.root().label()));
    keys.addAll(CaKeyLabels.all(ca.issuing().label()));
    keys.add(log.keyLabel());
    keys.add(log.ed25519Label());
    keys.add(log.witness().keyLabel());
    keys.add(tsa.keyLabel());
    keys.addAll(CaKeyLabels.all(ca.ocsp().keyLabel()));
    if (serverKey.label() != null) {
      keys.add(serverKey.label());
    }
    return keys;
  }

  /** A service that others rely on has one of these; the ports' addresses are checked later. */
  private static void requireTrial(
      Path files,
      DatabaseProperties database,
      LogProperties log,
      SecurityProperties security,
      IdentityProperties identity) {
    requireAlone(database.isEmbedded(), "keywell.database.url");
    requireAlone(!log.isPublic(), "keywell.log.public");
    requireAlone(security.hosts().isEmpty(), "keywell.security.hosts");
    requireAlone(identity.providersFile() == null, "keywell.identity.providers-file");
    if (!files.isAbsolute()) {
      throw new IllegalArgumentException(
          "keywell.trial-files is '%s', expected an absolute path".formatted(files));
    }
  }

  private static void requireAlone(boolean isTrial, String other) {
    if (!isTrial) {
      throw new IllegalArgumentException(
          "keywell.trial-files is only for measurements on this machine: remove it, or " + other);
    }
  }

  private static void requireCallers(String enabled, SecurityProperties security) {
    if (security.callersFile() == null) {
      throw new IllegalArgumentException(
          enabled
              + " is true, which needs keywell.security.callers-file: without it,"
              + " nobody is a caller");
    }
  }

  /** A key that clients manage never becomes a one-time signing key, nor the other way round. */
  private static void requireOwnWrappingKey(List<DeviceProperties> devices, KmipProperties kmip) {
    for (DeviceProperties device : devices) {
      if (device.wrappingKeyLabel().equals(kmip.wrappingKeyLabel())) {
        throw new IllegalArgumentException(
            "%swrapping-key-label is also keywell.kmip.wrapping-key-label; choose another"
                .formatted(device.settings()));
      }
    }
  }

  /** Clients choose part of what a server's key signs. */
  private static void requireOwnKey(String label, CaProperties ca, LogProperties log) {
    String setting = "keywell.server-key.label";
    requireOther(setting, label, ca.root().label(), "keywell.ca.root.label");
    requireOther(setting, label, ca.issuing().label(), "keywell.ca.issuing.label");
    requireOther(setting, label, log.keyLabel(), "keywell.log.key-label");
  }

  private static void requireOwnServiceKey(
      String setting,
      String label,
      ServerKeyProperties serverKey,
      CaProperties ca,
      LogProperties log) {
    requireOther(setting, label, ca.root().label(), "keywell.ca.root.label");
    requireOther(setting, label, ca.issuing().label(), "keywell.ca.issuing.label");
    requireOther(setting, label, log.keyLabel(), "keywell.log.key-label");
    requireOther(setting, label, serverKey.label(), "keywell.server-key.label");
  }

  private static void requireOther(
      String setting, String label, @Nullable String other, String others) {
    if (label.equals(other)) {
      throw new IllegalArgumentException(
          "%s is also %s; choose another".formatted(setting, others));
    }
  }

  private static void requireSigning(@Nullable String name, List<DeviceProperties> devices) {
    List<String> signing =
        devices.stream()
            .filter(device -> device.role().signs())
            .map(DeviceProperties::name)
            .toList();
    if (name != null && !signing.contains(name)) {
      throw new IllegalArgumentException(
          "keywell.server-key.device is '%s'; those that sign are %s".formatted(name, signing));
    }
  }

  private static void requireSessions(
      DeviceProperties device, SignProperties sign, PoolProperties pool, XksProperties xks) {
    // One session for each thread that may be inside the device, and one for checks.
    int threads =
        (device.role().signs() ? sign.handlerThreads() : 0)
            + (device.role().generates() ? pool.generatorThreads() : 0)
            + (device.role() == DeviceRole.BOTH ? pool.makerThreads() : 0)
            + (xks.enabled() ? xks.callsPerHsm() : 0)
            + 1;
    if (device.maxSessions() < threads) {
      throw new IllegalArgumentException(
          "%smax-sessions is %d; handler-threads and generator-threads%s need %d"
              .formatted(
                  device.settings(),
                  device.maxSessions(),
                  xks.enabled() ? " and keywell.xks.calls-per-hsm" : "",
                  threads));
    }
  }

  private static void requireConnections(
      List<DeviceProperties> devices, PoolProperties pool, DatabaseProperties database) {
    // A generated key is lost if it gets no connection; loading and counting get one in between.
    long generating = devices.stream().filter(device -> device.role().generates()).count();
    long storing = pool.generatorThreads() * generating + 1;
    if (pool.mode() == PoolMode.POOLED && database.otherConnections() < storing) {
      throw new IllegalArgumentException(
          "keywell.database.max-connections is %d, of which %d are not for records; generator-threads%s and the instance's lock need %d"
              .formatted(
                  database.maxConnections(),
                  database.otherConnections(),
                  generating > 1 ? " of each of the " + generating + " devices that generate" : "",
                  storing));
    }
  }

  /** Keys of open acts come on top of the loaded ones, and may all be in one HSM. */
  private static void requireRoomForKeys(
      SignProperties sign, ActProperties acts, PoolProperties pool) {
    if (pool.maxLiveKeys() == 0) {
      return;
    }
    boolean pooled = pool.mode() == PoolMode.POOLED;
    long loaded = pooled ? pool.limits().stream().mapToLong(PoolLimits::loadedCapacity).sum() : 0;
    int making = pooled ? pool.generatorThreads() + pool.makerThreads() : sign.handlerThreads();
    long live = loaded + acts.maxOpen() + making + pool.maxOrphans();
    if (live > pool.maxLiveKeys()) {
      throw new IllegalArgumentException(
          ("keywell.pool.max-live-keys is %d; loaded-capacity of all kinds (%d),"
                  + " keywell.acts.max-open (%d), keys in the making (%d) and max-orphans (%d) come to"
                  + " %d")
              .formatted(
                  pool.maxLiveKeys(), loaded, acts.maxOpen(), making, pool.maxOrphans(), live));
    }
  }

  private static void requireRoomForTickets(IdentityProperties identity, SignProperties sign) {
    if (identity.providersFile() != null
        && identity.maxTicket().toBytes() >= sign.maxBody().toBytes()) {
      throw new IllegalArgumentException(
          "keywell.identity.max-ticket is %s, which keywell.sign.max-body (%s) has no room for"
              .formatted(identity.maxTicket(), sign.maxBody()));
    }
  }

  /** A key generated for a request never leaves the device. */
  private static void requireGeneratingSigner(List<DeviceProperties> devices, PoolProperties pool) {
    if (devices.stream().anyMatch(device -> device.role() == DeviceRole.BOTH)) {
      return;
    }
    String none = ", which needs a device that generates and signs: none has the role both";
    if (pool.mode() == PoolMode.ON_THE_FLY) {
      throw new IllegalArgumentException("keywell.pool.mode is on-the-fly" + none);
    }
    if (pool.whenEmpty() == EmptyPoolPolicy.GENERATE) {
      throw new IllegalArgumentException("keywell.pool.when-empty is generate" + none);
    }
  }
}
