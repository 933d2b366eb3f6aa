package org.keywell.dss;

import eu.europa.esig.dss.spi.client.http.DataLoader;
import eu.europa.esig.dss.spi.exception.DSSExternalResourceException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.keywell.client.LimitedBody;

/**
 * Fetches CRLs and OCSP answers for one document, within limits. DSS asks for the same list several
 * times; it is fetched once. Not thread-safe.
 */
final class RevocationLoader implements DataLoader {
  private static final long serialVersionUID = 1L;

  private final transient HttpClient http;
  private final transient ValidationSources limits;
  private final transient Map<String, byte[]> fetched = new HashMap<>();
  private transient int requests;

  /**
   * @param http does not follow redirects
   */
  RevocationLoader(HttpClient http, ValidationSources limits) {
    this.http = http;
    this.limits = limits;
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
    if (++requests > limits.maxRequests()) {
      throw new DSSExternalResourceException(
          "more than %s requests for one document".formatted(limits.maxRequests()));
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(
            request.build(), head -> new LimitedBody(limits.maxBytes(), IOException::new));
    try {
      HttpResponse<byte[]> whole = answer.get(limits.timeout().toMillis(), TimeUnit.MILLISECONDS);
      return content(whole);
    } catch (TimeoutException e) {
      throw new DSSExternalResourceException(
          "no complete answer within %s ms".formatted(limits.timeout().toMillis()), e);
    } catch (ExecutionException e) {
      throw new DSSExternalResourceException(why(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DSSExternalResourceException("interrupted", e);
    } finally {
      answer.cancel(true);
    }
  }

  private static byte[] content(HttpResponse<byte[]> answer) {
    if (answer.statusCode() / 100 == 3) {
      throw new DSSExternalResourceException(
          "the server redirects (status %s), which is not followed".formatted(answer.statusCode()));
    }
    if (answer.statusCode() != 200) {
      throw new DSSExternalResourceException(
          "the server answers with status %s".formatted(answer.statusCode()));
    }
    return answer.body();
  }

  /** The JDK's exception for a refused connection has no message. */
  private static String why(ExecutionException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return cause instanceof ConnectException
        ? "no connection to the server"
        : String.valueOf(cause.getMessage());
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
