package org.keywell.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.security.*}.
 *
 * @param hosts names by which both ports may be addressed, besides those of the loopback interface,
 *     in lower case; if there are none, a port with TLS may be addressed by any
 * @param callersFile the callers of ports that request a client certificate, with their rights;
 *     null: none, and such a port is refused at the start
 * @param localTokenFile the token that callers of ports without client certificates present;
 *     created at the start if it is missing; null: anyone on this machine is let in
 * @param revocation whether callers' certificates are still valid
 */
public record SecurityProperties(
    @DefaultValue List<String> hosts,
    @Nullable Path callersFile,
    @Nullable Path localTokenFile,
    @DefaultValue RevocationProperties revocation) {

  private static final int MOST = 100;

  /** A name, an IPv4 address, or an IPv6 address in brackets as in a URL; no port. */
  private static final Pattern HOST =
      Pattern.compile("[a-z0-9]([a-z0-9._-]{0,252})|\\[[0-9a-f:.]{2,45}]");

  public SecurityProperties {
    hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    if (hosts.size() > MOST) {
      throw new IllegalArgumentException("keywell.security.hosts has more than " + MOST + " names");
    }
    for (String host : hosts) {
      if (!HOST.matcher(host).matches()) {
        throw new IllegalArgumentException(
            "keywell.security.hosts: '%s' is no host; neither scheme nor port belong to it"
                .formatted(host));
      }
    }
    callersFile = absolute(callersFile);
    localTokenFile = absolute(localTokenFile);
  }

  private static @Nullable Path absolute(@Nullable Path file) {
    return file == null ? null : file.toAbsolutePath().normalize();
  }
}
