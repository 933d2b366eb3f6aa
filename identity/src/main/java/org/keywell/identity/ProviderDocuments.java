package org.keywell.identity;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Fetches identity providers' keys and metadata, within limits of size and time up to the last
 * byte. Follows no redirects: only configured addresses are asked. Thread-safe.
 */
public final class ProviderDocuments implements AutoCloseable {

  private final Duration timeLimit;
  private final HttpClient client;

  /**
   * @param timeLimit of a whole fetch
   */
  public ProviderDocuments(Duration timeLimit) {
    this.timeLimit = timeLimit;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeLimit)
            .build();
  }

  /**
   * Returns the document currently at an address.
   *
   * @throws IOException if it cannot be fetched in time, or is larger
   */
  public byte[] fetch(ProviderAddress address, int maxBytes)
      throws IOException, InterruptedException {
    return address.isFile() ? read(Path.of(address.uri()), maxBytes) : download(address, maxBytes);
  }

  private static byte[] read(Path file, int maxBytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(maxBytes + 1);
      if (content.length > maxBytes) {
        throw new IOException("%s is larger than %d bytes".formatted(file, maxBytes));
      }
      return content;
    }
  }

  private byte[] download(ProviderAddress address, int maxBytes)
      throws IOException, InterruptedException {
    // The client's own timeout ends with the head of the answer.
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(
            HttpRequest.newBuilder(address.uri()).build(),
            BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes));
    try {
      HttpResponse<byte[]> response = answer.get(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() != 200) {
        throw new IOException("%s answers %d".formatted(address, response.statusCode()));
      }
      return response.body();
    } catch (ExecutionException e) {
      throw new IOException("%s cannot be got: %s".formatted(address, e.getCause()), e);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s has not answered within %d ms".formatted(address, timeLimit.toMillis()), e);
    } finally {
      answer.cancel(true);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
