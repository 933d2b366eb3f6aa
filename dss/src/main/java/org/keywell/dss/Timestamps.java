package org.keywell.dss;

import eu.europa.esig.dss.service.SecureRandomNonceSource;
import eu.europa.esig.dss.service.http.commons.TimestampDataLoader;
import eu.europa.esig.dss.service.tsp.OnlineTSPSource;
import eu.europa.esig.dss.spi.client.http.DataLoader;
import eu.europa.esig.dss.spi.x509.tsp.TSPSource;
import org.keywell.client.KeywellClient;

/** Requests time stamps from an authority; makes no other network requests. */
final class Timestamps {
  private Timestamps() {}

  /** Those of the service itself, over its connections. */
  static TSPSource of(KeywellClient client) {
    return source("tsa", new ServiceTimestamps(client));
  }

  static TSPSource of(TimestampAuthority authority) {
    int millis = Math.toIntExact(authority.timeout().toMillis());
    TimestampDataLoader loader = new TimestampDataLoader();
    loader.setTimeoutConnection(millis);
    loader.setTimeoutConnectionRequest(millis);
    loader.setTimeoutSocket(millis);
    loader.setTimeoutResponse(millis);
    loader.setRedirectsEnabled(false);
    return source(authority.uri().toString(), loader);
  }

  private static TSPSource source(String address, DataLoader loader) {
    OnlineTSPSource source = new OnlineTSPSource(address, loader);
    source.setNonceSource(new SecureRandomNonceSource());
    return source;
  }
}
