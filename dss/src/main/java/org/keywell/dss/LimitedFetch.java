package org.keywell.dss;

import eu.europa.esig.dss.spi.exception.DSSExternalResourceException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.keywell.client.LimitedBody;

/**
 * What DSS fetches over HTTP, within limits of size and time. Thread-safe.
 *
 * @param http follows no redirects
 * @param timeout of a request, from its start to the answer's last byte
 * @param maxBytes of an answer
 */
record LimitedFetch(HttpClient http, Duration timeout, int maxBytes) {

  /** Returns a client that follows no redirects. */
  static HttpClient http(Duration timeout) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(timeout)
        .build();
  }

  /**
   * Returns the body of an answer.
   *
   * @throws DSSExternalResourceException if there is none in time, with status 200, that is short
   *     enough
   */
  byte[] send(HttpRequest request) {
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, head -> new LimitedBody(maxBytes, IOException::new));
    try {
      return content(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw new DSSExternalResourceException(
          "no complete answer within %s ms".formatted(timeout.toMillis()), e);
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
}
