package org.keywell.cli.options;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The token that a service on this machine may ask for, and is shown to no other. */
final class LocalToken {

  /** Beside the service's other data. */
  private static final String USUAL_NAME = "local.token";

  private LocalToken() {}

  /**
   * The token to show to a service.
   *
   * @param given the file that the user names; null or empty for none
   * @param home the data directory, where the file is if it is named nowhere else; null for none
   * @return null if the service is not on this machine, or if there is no such file
   * @throws IOException if the file that the user names cannot be read or is empty
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

  /** By what the address says: a name of the network's may lead anywhere. */
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
