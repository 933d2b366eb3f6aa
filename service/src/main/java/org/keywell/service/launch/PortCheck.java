package org.keywell.service.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;
import org.springframework.core.env.Environment;

/**
 * Checks that the service can listen on its ports before anything else starts: a web server binds
 * them last, when the database runs and keys are loaded.
 */
final class PortCheck {

  private PortCheck() {}

  /**
   * @throws StartRefusedException if a port is taken or unavailable; names it
   */
  static void check(Environment environment) {
    int service = port(environment, "server.port");
    int management = port(environment, "management.server.port");
    requireFree(
        service,
        environment.getProperty("server.address"),
        "port %d".formatted(service),
        "SERVER_PORT or --port");
    if (management != service) {
      requireFree(
          management,
          environment.getProperty("management.server.address"),
          "port %d, for health and metrics,".formatted(management),
          "MANAGEMENT_SERVER_PORT");
    }
    int lists = port(environment, "keywell.ca.crl.port");
    requireFree(
        lists,
        environment.getProperty("keywell.ca.crl.address", "127.0.0.1"),
        "port %d, for lists of revoked certificates,".formatted(lists),
        "keywell.ca.crl.port or KEYWELL_CA_CRL_PORT");
    if (environment.getProperty("keywell.kmip.enabled", Boolean.class, false)) {
      int kmip = environment.getProperty("keywell.kmip.port", Integer.class, 5696);
      requireFree(
          kmip,
          environment.getProperty("keywell.kmip.address", "127.0.0.1"),
          "port %d, for KMIP,".formatted(kmip),
          "keywell.kmip.port or KEYWELL_KMIP_PORT");
    }
    if (environment.getProperty("keywell.xks.enabled", Boolean.class, false)) {
      int xks = environment.getProperty("keywell.xks.port", Integer.class, 8443);
      requireFree(
          xks,
          environment.getProperty("keywell.xks.address", "127.0.0.1"),
          "port %d, for XKS,".formatted(xks),
          "keywell.xks.port or KEYWELL_XKS_PORT");
    }
  }

  /** Returns the port; 0 (any) and -1 (none) are never taken. */
  private static int port(Environment environment, String name) {
    return environment.getProperty(name, Integer.class, 0);
  }

  private static void requireFree(
      int port, @Nullable String address, String what, String settings) {
    if (port <= 0) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      // Like the web server: recently closed connections do not block a port.
      socket.setReuseAddress(true);
      socket.bind(
          address == null
              ? new InetSocketAddress(port)
              : new InetSocketAddress(InetAddress.getByName(address), port));
    } catch (UnknownHostException e) {
      throw new StartRefusedException("the address " + address + " is unknown", e);
    } catch (IOException e) {
      throw new StartRefusedException(
          "%s cannot be used (%s); choose another: %s".formatted(what, e.getMessage(), settings),
          e);
    }
  }
}
