package org.keywell.listener;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * How a listener listens.
 *
 * @param name in the log, such as KMIP; in lower case, in the names of threads and settings
 * @param port 0: any free one
 * @param maxConnections connections that are open at the same time, each with a thread
 * @param handshakeTimeout from the accept to the end of the TLS handshake
 * @param clientAuth whether clients must present a certificate
 * @param protocols versions of TLS, by Java's names
 * @param suites cipher suites, the preferred first
 * @param groups for the key exchange
 */
public record ListenerConfig(
    String name,
    InetAddress address,
    int port,
    int maxConnections,
    Duration handshakeTimeout,
    boolean clientAuth,
    List<String> protocols,
    List<String> suites,
    List<String> groups) {

  public ListenerConfig {
    if (maxConnections < 1 || !handshakeTimeout.isPositive()) {
      throw new IllegalArgumentException("a limit is not positive");
    }
    protocols = List.copyOf(protocols);
    suites = List.copyOf(suites);
    groups = List.copyOf(groups);
  }

  String threads() {
    return "keywell-" + name.toLowerCase(Locale.ROOT) + "-";
  }

  String maxConnectionsSetting() {
    return "keywell." + name.toLowerCase(Locale.ROOT) + ".max-connections";
  }
}
