package org.keywell.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks to one service. Safe for use by many threads at once; calls block, so virtual threads suit
 * it well.
 *
 * <p>A service that cannot be reached shows as the {@link IOException} of {@link HttpClient}; one
 * that answers something that is no answer of Keywell's as an {@code IOException} that says so.
 */
public final class KeywellClient implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final String TEST_ID_HEADER = "Keywell-Test-Id";

  /** No answer of Keywell's comes near it; protects the caller's memory from a wrong server. */
  private static final int MAX_BODY_BYTES = 1 << 20;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          // A newer service may tell more than this client knows.
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** RFC 9457 demands no member; above all "status" may be missing. */
  private static final ObjectReader PROBLEMS =
      JSON.readerFor(Problem.class).without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private final URI base;
  private final Duration timeout;
  private final @Nullable String authorization;
  private final HttpClient http;

  /**
   * Makes a client; no connection is opened yet.
   *
   * @param base the service's address, such as {@code http://127.0.0.1:8420}
   * @param timeout how long to wait for each answer
   * @param tls the trusted certificates and the caller's own; null for Java's defaults
   */
  public KeywellClient(URI base, Duration timeout, @Nullable SSLContext tls) {
    this(base, timeout, tls, null);
  }

  /**
   * Makes a client of a service that may ask for a token; no connection is opened yet.
   *
   * @param token sent with each request (RFC 6750): to whoever listens at {@code base}; null for
   *     none
   */
  public KeywellClient(
      URI base, Duration timeout, @Nullable SSLContext tls, @Nullable String token) {
    this.base = withTrailingSlash(base);
    this.timeout = timeout;
    this.authorization = token == null ? null : "Bearer " + token;
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

  public KeywellClient(URI base) {
    this(base, Duration.ofSeconds(60), null);
  }

  /** {@code POST /sign}. A refusal is a result, not an exception: callers count and report it. */
  public SignResult sign(SignRequest request) throws IOException, InterruptedException {
    return sign(request, null);
  }

  /**
   * {@link #sign(SignRequest)} as a part of an experiment.
   *
   * @param testId names the experiment in the service's record of the request, 1 to 64 of {@code
   *     A-Z a-z 0-9 . _ : -}; null for none
   */
  public SignResult sign(SignRequest request, @Nullable String testId)
      throws IOException, InterruptedException {
    HttpRequest.Builder post =
        request("sign")
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, application/problem+json")
            .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(request)));
    if (testId != null) {
      post.header(TEST_ID_HEADER, testId);
    }
    long start = System.nanoTime();
    HttpResponse<byte[]> answer = send(post.build());
    Duration roundTrip = Duration.ofNanos(System.nanoTime() - start);
    return answer.statusCode() == 200
        ? new SignResult.Signed(read(answer, SignResponse.class), commits(answer), roundTrip)
        : new SignResult.Refused(problemOf(answer), roundTrip);
  }

  /**
   * {@code POST /acts}: has a key certified for digests that come later.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public Act openAct(ActRequest request) throws IOException, InterruptedException {
    return read(post("acts", request), Act.class);
  }

  /**
   * {@code POST /acts/ID/sign}: signs all digests of an open act, in their order.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public SignResponse signAct(String actId, List<byte[]> digests)
      throws IOException, InterruptedException {
    return read(post("acts/" + actId + "/sign", new Digests(digests)), SignResponse.class);
  }

  private record Digests(List<byte[]> digests) {}

  /**
   * {@code DELETE /acts/ID}: has an open act's key destroyed.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public void cancelAct(String actId) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = send(request("acts/" + actId).DELETE().build());
    if (answer.statusCode() != 204) {
      throw new ServiceProblemException(problemOf(answer));
    }
  }

  private HttpResponse<byte[]> post(String path, Object body)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        send(
            request(path)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, application/problem+json")
                .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
                .build());
    if (answer.statusCode() / 100 != 2) {
      throw new ServiceProblemException(problemOf(answer));
    }
    return answer;
  }

  /**
   * {@code GET /ca/chain}: the issuing certificates and the root, PEM.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public String chainPem() throws IOException, InterruptedException {
    return new String(get("ca/chain").body(), StandardCharsets.US_ASCII);
  }

  /**
   * {@code GET /pool}: how many keys there are.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public PoolStatus pool() throws IOException, InterruptedException {
    return read(get("pool"), PoolStatus.class);
  }

  /**
   * What {@link #pool()} says of a service that may still be starting: empty while it cannot be
   * reached, does not answer in time, or answers "not yet".
   */
  public Optional<PoolStatus> poolOnceUp() throws IOException, InterruptedException {
    try {
      return Optional.of(pool());
    } catch (ConnectException | HttpTimeoutException e) {
      return Optional.empty();
    } catch (ServiceProblemException e) {
      if (e.problem().status() == 503) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Whether the service says that it can take requests; false also where nobody answers. */
  public boolean isReady() throws IOException, InterruptedException {
    try {
      return send(request("readyz").GET().build()).statusCode() == 200;
    } catch (ConnectException | HttpTimeoutException e) {
      return false;
    }
  }

  private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = send(request(path).GET().build());
    if (answer.statusCode() != 200) {
      throw new ServiceProblemException(problemOf(answer));
    }
    return answer;
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(timeout);
    return authorization == null ? request : request.header("Authorization", authorization);
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, info -> new LimitedBody(MAX_BODY_BYTES));
  }

  private static <T> T read(HttpResponse<byte[]> answer, Class<T> type) throws IOException {
    try {
      return JSON.readValue(answer.body(), type);
    } catch (JacksonException e) {
      throw new IOException(
          "%s answered something that is no %s; is it a Keywell service?"
              .formatted(answer.uri(), type.getSimpleName()),
          e);
    }
  }

  private static CommitTimes commits(HttpResponse<byte[]> answer) {
    return answer
        .headers()
        .firstValue("Server-Timing")
        .map(CommitTimes::of)
        .orElse(CommitTimes.UNKNOWN);
  }

  /** The problem that an answer describes, or, if it has none, what can be told from its status. */
  private static Problem problemOf(HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    String type = answer.headers().firstValue("Content-Type").orElse("");
    if (type.startsWith("application/problem+json")) {
      try {
        Problem told = PROBLEMS.readValue(answer.body());
        return new Problem(told.type(), told.title(), told.detail(), status);
      } catch (JacksonException e) {
        // Falls through: a broken document is worth no more than its status.
      }
    }
    return new Problem(null, null, answer.uri() + " answered without details", status);
  }

  private static URI withTrailingSlash(URI base) {
    String text = base.toString();
    return text.endsWith("/") ? base : URI.create(text + "/");
  }

  /**
   * Waits for answers that are under way, then ends the client's threads; on Java 17 to 20 they end
   * by themselves once nothing refers to the client.
   */
  @Override
  public void close() {
    // HttpClient has been closeable since Java 21.
    if (http instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new IllegalStateException("HttpClient's close() throws nothing checked", e);
      }
    }
  }
}
