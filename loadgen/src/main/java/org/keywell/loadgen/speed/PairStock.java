package org.keywell.loadgen.speed;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A service's RSA-2048 pairs for KMIP clients, as its metrics say. Not thread-safe. */
final class PairStock implements AutoCloseable {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final int OK = 200;

  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpRequest request;
  private @Nullable Figures untouched;

  /**
   * Creates the stock of a service whose clients have not got any pair yet.
   *
   * @param metrics where the service has them
   */
  PairStock(URI metrics) {
    this.request = HttpRequest.newBuilder(metrics).timeout(ANSWER_WITHIN).build();
  }

  /**
   * One look.
   *
   * @param counted pairs that were ready at the service's last count, at most a few seconds ago
   */
  private record Figures(long counted, long generated, long taken, long made) {}

  /**
   * Returns how many pairs are ready, or fewer. The service's counters are of this moment; its
   * count of the store is not, so it is used only as long as that can but have grown.
   *
   * @throws IOException if the metrics cannot be read
   */
  long ready() throws IOException, InterruptedException {
    Figures now = read();
    Figures before = untouched;
    if (before == null || now.taken == 0) {
      untouched = now;
      return now.counted;
    }
    return before.counted + now.generated - before.generated - now.taken;
  }

  /** Returns whether a client had to wait for a pair to be made. */
  boolean hasMissed() throws IOException, InterruptedException {
    return read().made > 0;
  }

  private Figures read() throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() != OK) {
      throw new IOException(request.uri() + " answers " + response.statusCode());
    }
    String text = response.body();
    return new Figures(
        sum(text, "keywell_kmip_pairs"),
        sum(text, "keywell_kmip_pairs_generated_total"),
        sum(text, "keywell_kmip_pairs_taken_total"),
        sum(text, "keywell_kmip_pairs_made_total"));
  }

  /** Adds up a metric's series of RSA-2048; NaN, as while the store fails, counts as none. */
  private static long sum(String text, String metric) {
    return text.lines()
        .filter(line -> line.startsWith(metric + "{") && line.contains("key_spec=\"RSA-2048\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public void close() {
    http.close();
  }
}
