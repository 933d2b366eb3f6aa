package org.keywell.bench.modes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads the service's metrics repeatedly, as Prometheus does, from {@link #start} on. */
final class Scraper implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient client;
  private final HttpRequest request;
  private final Duration every;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread = Thread.ofPlatform().name("scraper").daemon().unstarted(this::loop);
  private int scrapes;
  private long nanos;
  private long bytes;
  private @Nullable String failure;

  private Scraper(HttpClient client, URI address, Duration every) {
    this.client = client;
    this.request =
        HttpRequest.newBuilder(address)
            .timeout(TIMEOUT)
            .header("Accept", "text/plain;version=0.0.4")
            .build();
    this.every = every;
  }

  /** Starts scraping at once; {@link #close} ends it. */
  static Scraper start(HttpClient client, URI address, Duration every) {
    Scraper scraper = new Scraper(client, address, every);
    scraper.thread.start();
    return scraper;
  }

  private void loop() {
    try {
      do {
        long began = System.nanoTime();
        scrape();
        nanos += System.nanoTime() - began;
      } while (!stopping.await(every.toNanos(), TimeUnit.NANOSECONDS));
    } catch (IOException e) {
      failure = e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void scrape() throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(request.uri() + " answered " + answer.statusCode());
    }
    scrapes++;
    bytes += answer.body().length;
  }

  /** Ends after the current scrape; the figures are complete afterwards. */
  @Override
  public void close() {
    stopping.countDown();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns how many scrapes succeeded. */
  int scrapes() {
    return scrapes;
  }

  /** Returns how long all scrapes took. */
  long nanos() {
    return nanos;
  }

  /** Returns how many bytes all scrapes read. */
  long bytes() {
    return bytes;
  }

  /** Returns why scraping ended early; null if it did not. */
  @Nullable String failure() {
    return failure;
  }
}
