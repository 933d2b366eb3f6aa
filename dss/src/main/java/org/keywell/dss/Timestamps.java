package org.keywell.dss;

import eu.europa.esig.dss.service.SecureRandomNonceSource;
import eu.europa.esig.dss.service.http.commons.TimestampDataLoader;
import eu.europa.esig.dss.service.tsp.OnlineTSPSource;
import eu.europa.esig.dss.spi.client.http.DataLoader;
import eu.europa.esig.dss.spi.x509.tsp.CompositeTSPSource;
import eu.europa.esig.dss.spi.x509.tsp.TSPSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** Each in turn, until one answers. */
  static TSPSource of(List<TimestampAuthority> authorities) {
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException("there is no time stamp authority to ask");
    }
    Map<String, TSPSource> sources = new LinkedHashMap<>();
    authorities.forEach(one -> sources.put(one.uri().toString(), of(one)));
    CompositeTSPSource inTurn = new CompositeTSPSource();
    inTurn.setTspSources(sources);
    return inTurn;
  }

  private static TSPSource source(String address, DataLoader loader) {
    OnlineTSPSource source = new OnlineTSPSource(address, loader);
    source.setNonceSource(new SecureRandomNonceSource());
    return source;
  }
}
