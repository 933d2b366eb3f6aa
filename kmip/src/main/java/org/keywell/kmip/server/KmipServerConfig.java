package org.keywell.kmip.server;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.keywell.listener.ListenerConfig;

/**
 * How a server listens.
 *
 * @param port 0: any free one
 * @param maxConnections connections that are open at the same time, each with a thread of its own
 * @param handshakeTimeout from the accept to the end of the TLS handshake
 * @param idleTimeout from the handshake, or from an answer, to the first byte of a request
 * @param messageTimeout from a request's first byte to its last, and the same again for its answer
 * @param maxMessageBytes the length of a request, 16 to 64 MiB
 * @param protocols versions of TLS, by Java's names
 * @param suites cipher suites, the preferred first
 * @param groups for the key exchange
 */
public record KmipServerConfig(
    InetAddress address,
    int port,
    int maxConnections,
    Duration handshakeTimeout,
    Duration idleTimeout,
    Duration messageTimeout,
    int maxMessageBytes,
    List<String> protocols,
    List<String> suites,
    List<String> groups) {

  public KmipServerConfig {
    if (maxConnections < 1
        || !handshakeTimeout.isPositive()
        || !idleTimeout.isPositive()
        || !messageTimeout.isPositive()) {
      throw new IllegalArgumentException("a limit is not positive");
    }
    protocols = List.copyOf(protocols);
    suites = List.copyOf(suites);
    groups = List.copyOf(groups);
  }

  ListenerConfig listener() {
    return new ListenerConfig(
        "KMIP", address, port, maxConnections, handshakeTimeout, true, protocols, suites, groups);
  }
}
