package org.keywell.bench.parts;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.rig.AbRun;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.Repeated;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;

/** Part m: what it costs to read the metrics every second, as Prometheus does. */
public final class ScrapePart implements Part {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Some seconds of them. */
  private static final int ROUND_REQUESTS = 1_500;

  private final Rig rig;
  private final List<AbRun> alone = new ArrayList<>();
  private final List<AbRun> scraped = new ArrayList<>();
  private final List<Scrape> scrapes = new ArrayList<>();

  public ScrapePart(Rig rig) {
    this.rig = rig;
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    int left = rig.stock().ec() - rig.warmUp().ec();
    int requests = Math.min(rig.scaled(ROUND_REQUESTS), left / (2 * rounds));
    try (BenchService service = rig.startWarm("scraped", new ServiceSettings().environment());
        HttpClient client = HttpClient.newHttpClient()) {
      for (int round = 0; round < rounds; round++) {
        if (round % 2 == 0) {
          alone.add(load(service, requests));
        }
        scraped.add(scraped(service, client, requests));
        if (round % 2 != 0) {
          alone.add(load(service, requests));
        }
        rig.tell(
            "round %d of %d: alone %.0f, while the metrics are read %.0f requests/s"
                .formatted(
                    round + 1, rounds, alone.getLast().perSecond(), scraped.getLast().perSecond()));
      }
    }
    return result();
  }

  private AbRun load(BenchService service, int requests) throws IOException, InterruptedException {
    try {
      return rig.driver().run(service.url(), Stock.EC, requests, 1);
    } catch (IOException e) {
      throw service.explain(e, "the load");
    }
  }

  private AbRun scraped(BenchService service, HttpClient client, int requests)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.metrics())
            .timeout(TIMEOUT)
            .header("Accept", "text/plain;version=0.0.4")
            .build();
    try (Repeated<Scrape> reading = Repeated.start(EVERY, () -> scrape(client, request))) {
      AbRun run = load(service, requests);
      scrapes.addAll(reading.end());
      return run;
    }
  }

  private static Scrape scrape(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(request.uri() + " answered " + answer.statusCode());
    }
    return new Scrape((System.nanoTime() - began) / 1e6, answer.body().length / 1024.0);
  }

  private record Scrape(double millis, double kibibytes) {}

  private PartResult result() {
    String label = "while the metrics are read / alone";
    List<Reading> readings = new ArrayList<>();
    add(readings, "alone", alone);
    add(readings, "while the metrics are read", scraped);
    readings.add(Reading.of("reads in all rounds", scrapes.size(), "reads"));
    readings.add(Reading.of("a read", Medians.of(scrapes, Scrape::millis), "ms"));
    readings.add(Reading.of("size of a read", Medians.of(scrapes, Scrape::kibibytes), "KiB"));
    return new PartResult(
        List.of(Ratio.of("throughput " + label, scraped, alone, AbRun::perSecond, Goal.NONE)),
        readings);
  }

  private static void add(List<Reading> readings, String what, List<AbRun> runs) {
    readings.add(Reading.of(what, Medians.of(runs, AbRun::perSecond), "requests/s"));
    readings.add(Reading.of(what + ", p50", Medians.of(runs, AbRun::p50Millis), "ms"));
    readings.add(Reading.of(what + ", p99", Medians.of(runs, AbRun::p99Millis), "ms"));
  }
}
