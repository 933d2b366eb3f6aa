package org.keywell.loadgen.storage;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of an external key store. Each request has a new connection, as that of a database's
 * start has. Thread-safe.
 *
 * @param base up to and with {@code /kms/xks/v1}
 */
record XksClient(SSLContext tls, URI base, String accessKeyId, String secret) {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final int OK = 200;

  /**
   * Asks the store; returns its answer.
   *
   * @throws KeyRefusedException if the answer is an error, or there is none
   */
  JsonNode post(String path, String body) throws KeyRefusedException, InterruptedException {
    HttpRequest request =
        SignedRequest.of(URI.create(base + path), body, accessKeyId, secret)
            .timeout(ANSWER_WITHIN)
            .build();
    HttpClient http =
        HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      JsonNode members = JsonMapper.shared().readTree(answer.body());
      if (answer.statusCode() != OK) {
        throw new KeyRefusedException(
            members.path("errorName").asString("status " + answer.statusCode()),
            members.path("errorMessage").asString(""));
      }
      return members;
    } catch (KeyRefusedException e) {
      throw e;
    } catch (IOException | JacksonException e) {
      throw new KeyRefusedException(
          KeyRefusedException.UNREACHABLE, e.getClass().getSimpleName() + " at " + base);
    } finally {
      http.shutdownNow();
    }
  }

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "XksClient[" + base + "]";
  }
}
