package org.keywell.acceptance.running;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service as its callers see it. */
public final class HttpApi {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client;
  private final URI base;

  public HttpApi(URI base) {
    this(HttpClient.newHttpClient(), base);
  }

  /**
   * @param client for one, with a TLS context
   */
  public HttpApi(HttpClient client, URI base) {
    this.client = client;
    this.base = base;
  }

  /** The service's address. */
  public URI base() {
    return base;
  }

  /**
   * A status and a JSON body; the body is null where there is none.
   *
   * @param serverTiming the header, or empty
   * @param retryAfter the header, or empty
   */
  public record Answer(
      int status, JsonNode body, String contentType, String serverTiming, String retryAfter) {

    /** The last part of a problem's type. */
    public String problem() {
      return body.path("type").asString("").replace("urn:keywell:problem:", "");
    }
  }

  public Answer sign(String json) throws IOException, InterruptedException {
    return post("/sign", "application/json", HttpRequest.BodyPublishers.ofString(json));
  }

  public Answer sign(SignBody body) throws IOException, InterruptedException {
    return sign(body.json());
  }

  /** The stored result of a request. */
  public Answer result(UUID requestId) throws IOException, InterruptedException {
    return get("/sign/" + requestId);
  }

  public Answer post(String path, String contentType, HttpRequest.BodyPublisher body)
      throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(base.resolve(path)).header("Content-Type", contentType).POST(body));
  }

  public Answer get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(base.resolve(path)));
  }

  /** A body that is not JSON. */
  public String text(String path) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(base.resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** A request to be completed and sent by {@link #send}. */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path));
  }

  public Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(
        response.statusCode(),
        response.body().isEmpty() ? JSON.nullNode() : JSON.readTree(response.body()),
        response.headers().firstValue("Content-Type").orElse(""),
        response.headers().firstValue("Server-Timing").orElse(""),
        response.headers().firstValue("Retry-After").orElse(""));
  }
}
