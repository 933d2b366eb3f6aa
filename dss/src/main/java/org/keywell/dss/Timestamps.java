package org.keywell.dss;

import eu.europa.esig.dss.service.SecureRandomNonceSource;
import eu.europa.esig.dss.service.http.commons.TimestampDataLoader;
import eu.europa.esig.dss.service.tsp.OnlineTSPSource;
import eu.europa.esig.dss.spi.x509.tsp.TSPSource;

/** Requests time stamps from an authority; makes no other network requests. */
final class Timestamps {
  private Timestamps() {}

  static TSPSource of(TimestampAuthority authority) {
    int millis = Math.toIntExact(authority.timeout().toMillis());
    TimestampDataLoader loader = new TimestampDataLoader();
    loader.setTimeoutConnection(millis);
    loader.setTimeoutConnectionRequest(millis);
    loader.setTimeoutSocket(millis);
    loader.setTimeoutResponse(millis);
    loader.setRedirectsEnabled(false);
    OnlineTSPSource source = new OnlineTSPSource(authority.uri().toString(), loader);
    source.setNonceSource(new SecureRandomNonceSource());
    return source;
  }
}
