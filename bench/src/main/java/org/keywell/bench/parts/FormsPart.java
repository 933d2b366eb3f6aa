package org.keywell.bench.parts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.client.KeywellClient;

/**
 * Part l: what issuing the certificate before the signature costs. One caller signs with EC keys in
 * each form; the driver is in Java, because ApacheBench cannot open an act and then sign it.
 */
public record FormsPart(Rig rig) implements Part {
  private static final int ROUND_REQUESTS = 300;

  /** In each form: enough to compile this process's code, and what the service runs for it. */
  private static final int WARM_UP = 1_000;

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    List<Form> order = new ArrayList<>(List.of(Form.values()));
    int warmUp = rig.scaled(WARM_UP);
    int left = rig.stock().ec() - rig.warmUp().ec() - order.size() * warmUp;
    int requests = Math.min(rig.scaled(ROUND_REQUESTS), left / (order.size() * rounds));
    Map<Form, List<OneByOne>> runs = new EnumMap<>(Form.class);
    order.forEach(form -> runs.put(form, new ArrayList<>()));
    try (BenchService service = rig.startWarm("forms", new ServiceSettings().environment());
        KeywellClient client = new KeywellClient(service.url())) {
      try {
        for (Form form : order) {
          var _ = run(client, form, warmUp);
        }
        for (int round = 0; round < rounds; round++) {
          for (Form form : order) {
            OneByOne run = run(client, form, requests);
            runs.getOrDefault(form, List.of()).add(run);
            rig.tell(
                "round %d of %d: %s, %.0f acts/s"
                    .formatted(round + 1, rounds, form.label(), run.perSecond()));
          }
          Collections.rotate(order, 1);
        }
      } catch (IOException e) {
        throw service.explain(e, "the load");
      }
    }
    return result(runs);
  }

  private static OneByOne run(KeywellClient client, Form form, int requests)
      throws IOException, InterruptedException {
    List<Long> nanos = new ArrayList<>();
    long began = System.nanoTime();
    for (int i = 0; i < requests; i++) {
      long sent = System.nanoTime();
      var _ = form.sign(client);
      nanos.add(System.nanoTime() - sent);
    }
    return OneByOne.of(nanos, System.nanoTime() - began);
  }

  private PartResult result(Map<Form, List<OneByOne>> runs) {
    List<OneByOne> bare = runs.getOrDefault(Form.BARE, List.of());
    List<Ratio> ratios = new ArrayList<>();
    List<Reading> readings = new ArrayList<>();
    runs.forEach((form, of) -> {
      String name = form.label();
      if (form != Form.BARE) {
        String against = ", " + name + " / bare";
        ratios.add(Ratio.of("throughput" + against, of, bare, OneByOne::perSecond, Goal.NONE));
        ratios.add(Ratio.of("mean latency" + against, of, bare, OneByOne::meanMillis, Goal.NONE));
        ratios.add(Ratio.of("p99" + against, of, bare, OneByOne::p99Millis, Goal.NONE));
      }
      readings.add(Reading.of(name, Medians.of(of, OneByOne::perSecond), "acts/s"));
      readings.add(Reading.of(name + ", mean", Medians.of(of, OneByOne::meanMillis), "ms"));
      readings.add(Reading.of(name + ", p50", Medians.of(of, OneByOne::p50Millis), "ms"));
      readings.add(Reading.of(name + ", p99", Medians.of(of, OneByOne::p99Millis), "ms"));
    });
    return new PartResult(ratios, readings);
  }
}
