package org.keywell.dss;

import eu.europa.esig.dss.service.SecureRandomNonceSource;
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
  static MeasuredTimestamps of(KeywellClient client) {
    return new MeasuredTimestamps(source("tsa", new ServiceTimestamps(client)), client);
  }

  static MeasuredTimestamps of(TimestampAuthority authority) {
    return new MeasuredTimestamps(source(authority), null);
  }

  private static TSPSource source(TimestampAuthority authority) {
    return source(authority.uri().toString(), new AuthorityTimestamps(authority));
  }

  /** Each in turn, until one answers. */
  static MeasuredTimestamps of(List<TimestampAuthority> authorities) {
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException("there is no time stamp authority to ask");
    }
    Map<String, TSPSource> sources = new LinkedHashMap<>();
    authorities.forEach(one -> sources.put(one.uri().toString(), source(one)));
    CompositeTSPSource inTurn = new CompositeTSPSource();
    inTurn.setTspSources(sources);
    return new MeasuredTimestamps(inTurn, null);
  }

  private static TSPSource source(String address, DataLoader loader) {
    OnlineTSPSource source = new OnlineTSPSource(address, loader);
    source.setNonceSource(new SecureRandomNonceSource());
    return source;
  }
}
