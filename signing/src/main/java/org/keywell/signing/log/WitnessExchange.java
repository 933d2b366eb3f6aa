package org.keywell.signing.log;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.keywell.tlog.AddCheckpoint;

/**
 * Sends checkpoints to witnesses, within limits of size and time up to the last byte. Follows no
 * redirects. Thread-safe.
 */
final class WitnessExchange implements AutoCloseable {

  static final Duration TIME_LIMIT = Duration.ofSeconds(4);

  /** For some signature lines. */
  private static final int MAX_ANSWER = 16 << 10;

  /** Made when it is first needed, as it has threads. */
  private @Nullable HttpClient client;

  private boolean closed;

  /** What a witness answers. */
  record Answer(int status, String body) {}

  /**
   * Offers a checkpoint.
   *
   * @throws IOException if no answer comes in time, or too large a one
   */
  Answer send(URI address, AddCheckpoint offer) throws IOException, InterruptedException {
    HttpClient now = client();
    // The client's own timeout ends with the head of the answer.
    CompletableFuture<HttpResponse<byte[]>> answer =
        now.sendAsync(
            HttpRequest.newBuilder(address).POST(BodyPublishers.ofByteArray(offer.bytes())).build(),
            BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER));
    try {
      HttpResponse<byte[]> response = answer.get(TIME_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
    } catch (ExecutionException e) {
      throw new IOException("it does not answer: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + TIME_LIMIT.toMillis() + " ms", e);
    } finally {
      answer.cancel(true);
    }
  }

  private synchronized HttpClient client() throws IOException {
    if (closed) {
      throw new IOException("the service stops");
    }
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(TIME_LIMIT)
              .build();
    }
    return client;
  }

  /** Ends what is in progress; nothing is sent any more. */
  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) {
      client.shutdownNow();
    }
  }
}
