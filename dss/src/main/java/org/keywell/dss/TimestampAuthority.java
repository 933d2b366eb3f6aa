package org.keywell.dss;

import java.net.URI;
import java.time.Duration;

/**
 * A time stamp authority, which attests when a signature existed (RFC 3161, over HTTP).
 *
 * @param timeout of a request, from its start to the answer's last byte
 */
public record TimestampAuthority(URI uri, Duration timeout) {

  public TimestampAuthority {
    if (!"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) {
      throw new IllegalArgumentException(
          "a time stamp authority's address is http or https: " + uri);
    }
    if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a time stamp authority's time is limited: " + timeout);
    }
  }

  /** Creates an authority with ten seconds to answer. */
  public TimestampAuthority(URI uri) {
    this(uri, Duration.ofSeconds(10));
  }
}
