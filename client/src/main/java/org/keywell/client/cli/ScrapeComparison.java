package org.keywell.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What it costs to read the service's metrics every second: the same load alone and while they are
 * read, in turns, so that whatever else the machine does meets both.
 */
final class ScrapeComparison {

  private static final Duration EVERY = Duration.ofSeconds(1);

  private final ClosedLoop loop;
  private final URI metrics;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<ClosedLoop.Result> alone = new ArrayList<>();
  private final List<ClosedLoop.Result> scraped = new ArrayList<>();
  private int scrapes;
  private long scrapeNanos;
  private long scrapeBytes;

  ScrapeComparison(ClosedLoop loop, URI metrics) {
    this.loop = loop;
    this.metrics = metrics;
  }

  /**
   * Runs the load twice in each round, in alternating order.
   *
   * @param requests of each run
   */
  void run(int rounds, int requests, int callers) throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        alone.add(loop.run(requests, callers));
        scraped.add(runScraped(requests, callers));
      } else {
        scraped.add(runScraped(requests, callers));
        alone.add(loop.run(requests, callers));
      }
    }
  }

  private ClosedLoop.Result runScraped(int requests, int callers)
      throws IOException, InterruptedException {
    Scraper scraper = Scraper.start(client, metrics, EVERY);
    ClosedLoop.Result result;
    try (scraper) {
      result = loop.run(requests, callers);
    }
    if (scraper.failure() != null) {
      throw new IOException("the metrics cannot be read: " + scraper.failure());
    }
    scrapes += scraper.scrapes();
    scrapeNanos += scraper.nanos();
    scrapeBytes += scraper.bytes();
    return result;
  }

  int signed() {
    return signed(alone) + signed(scraped);
  }

  /** Throughput while scraped to that alone, over all rounds. */
  double ratio() {
    return perSecond(scraped) / perSecond(alone);
  }

  void print(PrintWriter out) {
    double[] ratios = new double[alone.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = scraped.get(i).perSecond() / alone.get(i).perSecond();
    }
    Arrays.sort(ratios);
    out.printf(
        Locale.ROOT,
        """
          alone           %.1f requests/s, p50 %.1f ms, p99 %.1f ms
          while scraped   %.1f requests/s, p50 %.1f ms, p99 %.1f ms
          scrapes         %d, mean %.1f ms, %.0f KiB each
          ratio           %.3f; single rounds %.3f to %.3f, median %.3f
        """,
        perSecond(alone),
        percentileMillis(alone, 50),
        percentileMillis(alone, 99),
        perSecond(scraped),
        percentileMillis(scraped, 50),
        percentileMillis(scraped, 99),
        scrapes,
        scrapeNanos / 1e6 / Math.max(1, scrapes),
        scrapeBytes / 1024.0 / Math.max(1, scrapes),
        ratio(),
        ratios[0],
        ratios[ratios.length - 1],
        ratios[ratios.length / 2]);
  }

  private static int signed(List<ClosedLoop.Result> results) {
    return results.stream().mapToInt(ClosedLoop.Result::signed).sum();
  }

  private static double perSecond(List<ClosedLoop.Result> results) {
    return signed(results)
        * 1e9
        / results.stream().mapToLong(ClosedLoop.Result::elapsedNanos).sum();
  }

  private static double percentileMillis(List<ClosedLoop.Result> results, int percent) {
    long[] all =
        results.stream().flatMapToLong(r -> Arrays.stream(r.latenciesNanos())).sorted().toArray();
    return new ClosedLoop.Result(all, 1, 0, null).percentileMillis(percent);
  }
}
