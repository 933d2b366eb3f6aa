package org.keywell.cli.options;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The token that a service on this machine may require; it is never sent elsewhere. */
final class LocalToken {

  /** In the service's data directory. */
  private static final String USUAL_NAME = "local.token";

  private LocalToken() {}

  /**
   * Returns the token to send to a service.
   *
   * @param given the file that the user gives; null or empty for none
   * @param home the data directory, with the file if none is given; null for none
   * @return null if the service is elsewhere, or if none is given and {@code home} has none
   * @throws IOException if the given file cannot be read, or the file used holds no token
   */
  static @Nullable String forService(URI address, @Nullable Path given, @Nullable String home)
      throws IOException {
    if (!isLoopback(address.getHost())) {
      return null;
    }
    if (given != null && !given.toString().isEmpty()) {
      return read(given);
    }
    if (home == null || home.isEmpty()) {
      return null;
    }
    Path usual = Path.of(home, USUAL_NAME);
    return Files.isReadable(usual) ? read(usual) : null;
  }

  private static String read(Path file) throws IOException {
    String token = Files.readString(file).strip();
    if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IOException(file + " holds no token");
    }
    return token;
  }

  /** Checks the address as written: a network name may resolve to anything. */
  private static boolean isLoopback(String host) {
    if (host.equalsIgnoreCase("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
