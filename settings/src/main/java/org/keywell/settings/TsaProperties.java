package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.Subject;
import org.keywell.ca.timestamp.TimeStampPolicy;
import org.keywell.ca.token.CaKeySpec;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.tsa.*}: the time-stamp authority.
 *
 * @param enabled whether the service makes time stamps
 * @param keyLabel of the key in each token that signs
 * @param key its kind: EC-P256, RSA-3072 or RSA-4096
 * @param commonName of the units' certificates
 * @param validity of the units' certificates that the bootstrap makes, 1 d to 20 y; cut to that of
 *     the issuing CA's
 * @param policy the object identifier of the policy that time stamps state, in dotted form
 * @param accuracy that time stamps state, 1 ms to 1 s
 * @param timeServers hosts, or HOST:PORT, that answer NTP, at most 10; most of them must confirm
 *     the clock. None: only jumps of the clock are noticed
 * @param timeServersEvery how often they are asked, 1 s to 1 h
 * @param maxOffset from their time, errors of the network included, 1 ms to {@code accuracy}
 * @param maxConcurrent requests that are worked on at the same time, 1 to 1,000
 */
public record TsaProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("keywell-tsa") String keyLabel,
    @DefaultValue("EC-P256") String key,
    @DefaultValue("Keywell Time-Stamping Unit") String commonName,
    @Nullable String organization,
    @Nullable String country,
    @DefaultValue("3650d") Duration validity,
    @DefaultValue("2.25.23324591296394121478643964689016413034") String policy,
    @DefaultValue("1s") Duration accuracy,
    @DefaultValue List<String> timeServers,
    @DefaultValue("1m") Duration timeServersEvery,
    @DefaultValue("500ms") Duration maxOffset,
    @DefaultValue("16") int maxConcurrent) {

  private static final int MOST_SERVERS = 10;

  /** Those that sign with SHA-256. */
  private static final Set<CaKeySpec> KINDS =
      EnumSet.of(CaKeySpec.EC_P256, CaKeySpec.RSA_3072, CaKeySpec.RSA_4096);

  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,32}");
  private static final int NTP_PORT = 123;
  private static final int LAST_PORT = 65_535;

  private static final Pattern SERVER =
      Pattern.compile("([A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::([0-9]{1,5}))?");

  public TsaProperties {
    require(
        LABEL.matcher(keyLabel).matches(),
        "keywell.tsa.key-label",
        "'" + keyLabel + "'",
        "1 to 32 of A-Z a-z 0-9 . _ -");
    require(
        KINDS.stream().anyMatch(kind -> kind.label().equals(key)),
        "keywell.tsa.key",
        "'" + key + "'",
        "EC-P256, RSA-3072 or RSA-4096");
    require("keywell.tsa.accuracy", accuracy, "1ms", "1s");
    require("keywell.tsa.validity", validity, "1d", "7305d");
    require("keywell.tsa.time-servers-every", timeServersEvery, "1s", "1h");
    require("keywell.tsa.max-offset", maxOffset, "1ms", "1s");
    require("keywell.tsa.max-concurrent", maxConcurrent, 1, 1000);
    timeServers = List.copyOf(timeServers);
    require("the number of keywell.tsa.time-servers", timeServers.size(), 0, MOST_SERVERS);
    timeServers.forEach(TsaProperties::address);
    if (maxOffset.compareTo(accuracy) > 0) {
      throw new IllegalArgumentException(
          "keywell.tsa.max-offset is %s, more than keywell.tsa.accuracy, %s, promises"
              .formatted(maxOffset, accuracy));
    }
    var _ = policy(policy, accuracy);
    var _ = subject(commonName, organization, country);
  }

  /** Returns where the time servers are, by names that are looked up when they are asked. */
  public List<InetSocketAddress> timeServerAddresses() {
    return timeServers.stream().map(TsaProperties::address).toList();
  }

  private static InetSocketAddress address(String server) {
    Matcher parts = SERVER.matcher(server);
    boolean isAddress = parts.matches();
    int port = isAddress && parts.group(2) != null ? Integer.parseInt(parts.group(2)) : NTP_PORT;
    require(
        isAddress && port > 0 && port <= LAST_PORT,
        "keywell.tsa.time-servers",
        "'" + server + "'",
        "hosts such as 127.0.0.1, ntp.example or [::1]:123");
    return InetSocketAddress.createUnresolved(parts.group(1), port);
  }

  /** Returns the kind of the key. */
  public CaKeySpec keySpec() {
    return CaKeySpec.ofLabel(key);
  }

  /** Returns what time stamps promise. */
  public TimeStampPolicy promise() {
    return policy(policy, accuracy);
  }

  /** Returns the name in the units' certificates. */
  public Subject subject() {
    return subject(commonName, organization, country);
  }

  private static TimeStampPolicy policy(String policy, Duration accuracy) {
    try {
      return new TimeStampPolicy(policy, accuracy);
    } catch (IllegalArgumentException e) {
      // Without the cause: the message is complete, and operators see only complete ones.
      throw new IllegalArgumentException("keywell.tsa.policy: " + e.getMessage());
    }
  }

  private static Subject subject(
      String commonName, @Nullable String organization, @Nullable String country) {
    return new Subject(commonName, null, null, null, organization, null, country);
  }
}
