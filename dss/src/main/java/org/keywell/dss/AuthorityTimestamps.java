package org.keywell.dss;

import eu.europa.esig.dss.spi.client.http.DataLoader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;

/** Takes DSS's requests for time stamps to an authority, within limits. */
final class AuthorityTimestamps implements DataLoader {
  private static final long serialVersionUID = 1L;

  /** An answer has a signature and a chain of certificates. */
  private static final int MAX_BYTES = 1 << 20;

  private final transient LimitedFetch http;

  AuthorityTimestamps(TimestampAuthority authority) {
    this.http =
        new LimitedFetch(LimitedFetch.http(authority.timeout()), authority.timeout(), MAX_BYTES);
  }

  @Override
  public byte[] post(String address, byte[] request) {
    return http.send(
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/timestamp-query")
            .POST(BodyPublishers.ofByteArray(request))
            .build());
  }

  @Override
  public byte[] get(String address) {
    throw new UnsupportedOperationException("time stamps are posted");
  }

  @Override
  public DataAndUrl get(List<String> addresses) {
    throw new UnsupportedOperationException("time stamps are posted");
  }

  @Override
  public void setContentType(String type) {
    // It is that of requests for time stamps.
  }
}
