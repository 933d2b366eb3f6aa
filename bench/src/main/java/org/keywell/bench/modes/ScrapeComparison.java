package org.keywell.bench.modes;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The cost of reading the service's metrics every second: the same load with and without it, in
 * turns, so that the machine's noise affects both.
 */
public final class ScrapeComparison implements Comparison {

  private static final Duration EVERY = Duration.ofSeconds(1);

  private final ClosedLoop loop;
  private final URI metrics;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<ClosedRun> alone = new ArrayList<>();
  private final List<ClosedRun> scraped = new ArrayList<>();
  private int scrapes;
  private long scrapeNanos;
  private long scrapeBytes;

  public ScrapeComparison(ClosedLoop loop, URI metrics) {
    this.loop = loop;
    this.metrics = metrics;
  }

  @Override
  public void warmUp(int requests) throws IOException, InterruptedException {
    var _ = loop.run(requests);
  }

  @Override
  public void run(int rounds, int requests) throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        alone.add(loop.run(requests));
        scraped.add(runScraped(requests));
      } else {
        scraped.add(runScraped(requests));
        alone.add(loop.run(requests));
      }
    }
  }

  private ClosedRun runScraped(int requests) throws IOException, InterruptedException {
    Scraper scraper = Scraper.start(client, metrics, EVERY);
    ClosedRun result;
    try (scraper) {
      result = loop.run(requests);
    }
    if (scraper.failure() != null) {
      throw new IOException("the metrics cannot be read: " + scraper.failure());
    }
    scrapes += scraper.scrapes();
    scrapeNanos += scraper.nanos();
    scrapeBytes += scraper.bytes();
    return result;
  }

  @Override
  public void print(PrintWriter out) {
    Ratios ratios = Ratios.of(scraped, alone, ClosedRun::perSecond);
    ClosedRun allAlone = ClosedRun.together(alone);
    ClosedRun allScraped = ClosedRun.together(scraped);
    out.printf(
        Locale.ROOT,
        """
          alone           %.1f requests/s, p50 %.1f ms, p99 %.1f ms
          while scraped   %.1f requests/s, p50 %.1f ms, p99 %.1f ms
          scrapes         %d, mean %.1f ms, %.0f KiB each
          ratio           %.3f; single rounds %.3f to %.3f, median %.3f
        """,
        allAlone.perSecond(),
        allAlone.percentileMillis(50),
        allAlone.percentileMillis(99),
        allScraped.perSecond(),
        allScraped.percentileMillis(50),
        allScraped.percentileMillis(99),
        scrapes,
        scrapeNanos / 1e6 / Math.max(1, scrapes),
        scrapeBytes / 1024.0 / Math.max(1, scrapes),
        ratios.overall(),
        ratios.single().getFirst(),
        ratios.single().getLast(),
        ratios.median());
  }
}
