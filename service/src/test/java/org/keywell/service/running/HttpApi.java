package org.keywell.service.running;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service as its callers see it. */
public final class HttpApi {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI base;

  public HttpApi(URI base) {
    this.base = base;
  }

  /**
   * A status and a JSON body; the body is null where there is none.
   *
   * @param serverTiming the header, or empty
   */
  public record Answer(int status, JsonNode body, String contentType, String serverTiming) {

    /** The last part of a problem's type. */
    public String problem() {
      return body.path("type").asString("").replace("urn:keywell:problem:", "");
    }
  }

  public Answer sign(String json) throws IOException, InterruptedException {
    return post("/sign", "application/json", HttpRequest.BodyPublishers.ofString(json));
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

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(
        response.statusCode(),
        response.body().isEmpty() ? JSON.nullNode() : JSON.readTree(response.body()),
        response.headers().firstValue("Content-Type").orElse(""),
        response.headers().firstValue("Server-Timing").orElse(""));
  }
}
