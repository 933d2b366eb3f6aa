package org.keywell.operations.metrics;

import org.keywell.listener.TlsListener;

/** Registers the meters of a port's connections. */
final class ConnectionMeters {

  private ConnectionMeters() {}

  /**
   * Registers them.
   *
   * @param name what theirs begin with, such as keywell.kmip
   * @param title of the way in
   */
  static void bind(Meters meters, String name, String title, TlsListener listener) {
    String connections = name + ".connections.";
    meters.gauge(connections + "open", "Open " + title + " connections", listener::connections);
    meters.gauge(connections + "limit", "max-connections", listener::mostConnections);
    meters.counter(
        connections + "opened",
        title + " connections that were served",
        listener,
        TlsListener::opened);
    meters.counter(
        connections + "refused",
        title + " connections closed at once, since too many were open",
        listener,
        TlsListener::refused);
  }
}
