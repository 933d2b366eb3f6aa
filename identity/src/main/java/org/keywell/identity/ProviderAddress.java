package org.keywell.identity;

import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

/**
 * The location of an identity provider's keys or metadata.
 *
 * @param uri {@code file:} with an absolute path, {@code https:}, or {@code http:} to this machine
 */
public record ProviderAddress(URI uri) {

  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

  public ProviderAddress {
    boolean acceptable =
        switch (String.valueOf(uri.getScheme())) {
          case "file" -> uri.getAuthority() == null && uri.getPath() != null;
          case "https" -> uri.getHost() != null;
          case "http" -> uri.getHost() != null && THIS_MACHINE.contains(uri.getHost());
          default -> false;
        };
    if (!acceptable || uri.getUserInfo() != null || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          "'%s' is no file: with an absolute path, no https: and no http: to this machine"
              .formatted(uri));
    }
  }

  /** Binds a setting: a URI, or the absolute path of a file. */
  public static ProviderAddress of(String text) {
    return new ProviderAddress(text.startsWith("/") ? Path.of(text).toUri() : URI.create(text));
  }

  public boolean isFile() {
    return "file".equals(uri.getScheme());
  }

  @Override
  public String toString() {
    return uri.toString();
  }
}
