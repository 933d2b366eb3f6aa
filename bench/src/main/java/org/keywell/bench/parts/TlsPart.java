package org.keywell.bench.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.keywell.bench.rig.AbDriver;
import org.keywell.bench.rig.AbRun;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.loadgen.tls.OpenSsl;
import org.keywell.loadgen.tls.TlsPlan;
import org.keywell.loadgen.tls.TrialSite;

/**
 * Part o: what TLS with client certificates costs, on kept connections and with a new one for each
 * request. Two services run at the same time, one of which serves TLS, and take turns.
 *
 * @param folder for certificates, which are removed
 */
public record TlsPart(Rig rig, Path folder) implements Part {
  private static final int ROUND_REQUESTS = 1_000;
  private static final int CALLERS = 8;

  private enum Way {
    PLAIN_KEPT("plain, kept connections"),
    TLS_KEPT("TLS, kept connections"),
    PLAIN_NEW("plain, new connections"),
    TLS_NEW("TLS, new connections");

    private final String label;

    Way(String label) {
      this.label = label;
    }
  }

  private record Caller(BenchService service, AbDriver driver) {
    AbRun sign(int requests) throws IOException, InterruptedException {
      try {
        return driver.run(service.url(), Stock.EC, requests, Math.min(CALLERS, requests));
      } catch (IOException e) {
        throw service.explain(e, "the load");
      }
    }
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    TlsPlan mutual = new TlsPlan(1, 1, 0, List.of(), List.of(), true, true);
    try (TrialSite site = TrialSite.create(folder, OpenSsl.find("openssl"), mutual);
        BenchService plain = rig.startWarm("plain", new ServiceSettings().environment());
        BenchService tls = rig.start("tls", settings(site), site.client())) {
      AbDriver caller = rig.driver().presenting(pem(site));
      rig.tell("warming tls up");
      tls.warmUp(caller, rig.warmUp());
      Map<Way, Caller> callers = new EnumMap<>(Way.class);
      callers.put(Way.PLAIN_KEPT, new Caller(plain, rig.driver()));
      callers.put(Way.TLS_KEPT, new Caller(tls, caller));
      callers.put(Way.PLAIN_NEW, new Caller(plain, rig.driver().withNewConnections()));
      callers.put(Way.TLS_NEW, new Caller(tls, caller.withNewConnections()));
      return result(measure(callers, rounds));
    }
  }

  /** As many connections are made before the first round: their code is compiled, too. */
  private Map<Way, List<AbRun>> measure(Map<Way, Caller> callers, int rounds)
      throws IOException, InterruptedException {
    int left = rig.stock().ec() - rig.warmUp().ec();
    int requests = Math.min(rig.scaled(ROUND_REQUESTS), left / (2 * (rounds + 1)));
    Map<Way, List<AbRun>> runs = new EnumMap<>(Way.class);
    List<Map.Entry<Way, Caller>> order = new ArrayList<>(callers.entrySet());
    for (int round = 0; round <= rounds; round++) {
      for (Map.Entry<Way, Caller> one : order) {
        AbRun run = one.getValue().sign(requests);
        Way way = one.getKey();
        if (round > 0) {
          runs.computeIfAbsent(way, _ -> new ArrayList<>()).add(run);
          rig.tell(
              "round %d of %d: %s, %.0f requests/s"
                  .formatted(round, rounds, way.label, run.perSecond()));
        }
      }
      Collections.rotate(order, 1);
    }
    return runs;
  }

  private static Map<String, String> settings(TrialSite site) {
    ServiceSettings all = new ServiceSettings();
    site.tlsSettings().forEach(all::with);
    return all.environment();
  }

  private static Path pem(TrialSite site) throws IOException {
    String client = TrialSite.CLIENT;
    return Files.writeString(
        site.directory().resolve("client.pem"),
        Files.readString(site.directory().resolve(client + ".crt"))
            + Files.readString(site.directory().resolve(client + ".key")));
  }

  private static PartResult result(Map<Way, List<AbRun>> runs) {
    List<Reading> readings = new ArrayList<>();
    runs.forEach((way, of) -> {
      readings.add(Reading.of(way.label, Medians.of(of, AbRun::perSecond), "requests/s"));
      readings.add(Reading.of(way.label + ", p50", Medians.of(of, AbRun::p50Millis), "ms"));
      readings.add(Reading.of(way.label + ", p99", Medians.of(of, AbRun::p99Millis), "ms"));
    });
    return new PartResult(
        List.of(
            throughput("kept connections", runs, Way.TLS_KEPT, Way.PLAIN_KEPT),
            throughput("new connections", runs, Way.TLS_NEW, Way.PLAIN_NEW)),
        readings);
  }

  private static Ratio throughput(
      String connections, Map<Way, List<AbRun>> runs, Way tls, Way plain) {
    return Ratio.of(
        "throughput, %s, TLS / plain".formatted(connections),
        runs.getOrDefault(tls, List.of()),
        runs.getOrDefault(plain, List.of()),
        AbRun::perSecond,
        Goal.NONE);
  }
}
