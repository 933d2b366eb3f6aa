package org.keywell.dss;

import eu.europa.esig.dss.spi.client.http.DataLoader;
import eu.europa.esig.dss.spi.exception.DSSExternalResourceException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Fetches CRLs and OCSP answers for one document, within limits. DSS asks for the same list several
 * times; it is fetched once. Not thread-safe.
 */
final class RevocationLoader implements DataLoader {
  private static final long serialVersionUID = 1L;

  private final transient LimitedFetch http;
  private final transient int maxRequests;
  private final transient Map<String, byte[]> fetched = new HashMap<>();
  private transient int requests;

  /**
   * @param http does not follow redirects
   */
  RevocationLoader(HttpClient http, ValidationSources limits) {
    this.http = new LimitedFetch(http, limits.timeout(), limits.maxBytes());
    this.maxRequests = limits.maxRequests();
  }

  @Override
  public byte[] get(String address) {
    byte[] known = fetched.get(address);
    if (known == null) {
      known = send(HttpRequest.newBuilder(uri(address)).GET());
      fetched.put(address, known);
    }
    return known;
  }

  @Override
  public byte[] post(String address, byte[] content) {
    return send(
        HttpRequest.newBuilder(uri(address))
            .header("Content-Type", "application/ocsp-request")
            .POST(BodyPublishers.ofByteArray(content)));
  }

  private static URI uri(String address) {
    try {
      URI uri = new URI(address);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Refused below.
    }
    throw new DSSExternalResourceException("the address is not http or https");
  }

  private byte[] send(HttpRequest.Builder request) {
    if (++requests > maxRequests) {
      throw new DSSExternalResourceException(
          "more than %s requests for one document".formatted(maxRequests));
    }
    return http.send(request.build());
  }

  @Override
  public DataAndUrl get(List<String> addresses) {
    throw new UnsupportedOperationException("addresses are tried one by one");
  }

  @Override
  public void setContentType(String type) {
    // Only requests for OCSP have content.
  }
}
