package org.keywell.dss;

import java.net.URI;
import java.time.Duration;

/**
 * An authority that says since when a signature has been there (RFC 3161, over HTTP).
 *
 * @param timeout at most this long to connect, and at most this long without a byte of the answer
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

  /** With ten seconds to answer. */
  public TimestampAuthority(URI uri) {
    this(uri, Duration.ofSeconds(10));
  }
}
