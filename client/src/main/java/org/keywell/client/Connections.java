package org.keywell.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A service's persistent connections. */
final class Connections implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final String TEST_ID_HEADER = "Keywell-Test-Id";

  private final URI base;
  private final @Nullable SSLContext tls;
  private final @Nullable String authorization;
  private final HttpClient http;

  Connections(URI base, @Nullable SSLContext tls, @Nullable String authorization) {
    this.base = withTrailingSlash(base);
    this.tls = tls;
    this.authorization = authorization;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER);
    if (tls != null) {
      builder.sslContext(tls);
    }
    this.http = builder.build();
  }

  private static URI withTrailingSlash(URI base) {
    String text = base.toString();
    return text.endsWith("/") ? base : URI.create(text + "/");
  }

  /** Returns an instance for the same address, with separate connections. */
  Connections separate() {
    return new Connections(base, tls, authorization);
  }

  URI base() {
    return base;
  }

  /**
   * Sends a request once.
   *
   * @param limit from now to the answer's last byte
   */
  Answer exchange(Call call, Duration limit) throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(
            request(call),
            info ->
                new LimitedBody(
                    call.longestAnswer(),
                    message ->
                        new UnexpectedAnswerException(
                            message + "; is it a Keywell service?", null)));
    try {
      Answer complete = Answer.of(answer.get(limit.toNanos(), TimeUnit.NANOSECONDS));
      complete.requireNotForTls();
      return complete;
    } catch (ExecutionException e) {
      throw failureOf(e);
    } catch (TimeoutException e) {
      answer.cancel(true); // ends the exchange and its connection
      throw new HttpTimeoutException("no answer within " + limit.toMillis() + " ms");
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    }
  }

  /** Returns the original failure from the HTTP client's thread. */
  private static IOException failureOf(ExecutionException failed) {
    for (Throwable e = failed.getCause(); e != null; e = e.getCause()) {
      if (e instanceof UnexpectedAnswerException unexpected) {
        return unexpected;
      }
    }
    return failed.getCause() instanceof IOException known
        ? known
        : new IOException("the HTTP client failed: " + failed.getMessage(), failed);
  }

  private HttpRequest request(Call call) {
    byte[] body = call.body();
    BodyPublisher publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(call.path())).method(call.method(), publisher);
    if (body != null) {
      request.header("Content-Type", call.type());
      if (call.type().equals(Call.JSON)) {
        request.header("Accept", "application/json, application/problem+json");
      }
    }
    if (call.testId() != null) {
      request.header(TEST_ID_HEADER, call.testId());
    }
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return request.build();
  }

  @Override
  public void close() {
    // HttpClient is closeable since Java 21.
    if (http instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new IllegalStateException("HttpClient's close() throws nothing checked", e);
      }
    }
  }
}
