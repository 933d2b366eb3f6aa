package org.keywell.bench.parts;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.keywell.bench.rig.AbDriver;
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

/**
 * Part q: time stamps alone and while the same service signs, and what they do to its signatures.
 */
public final class StampPart implements Part {
  private static final int ROUND_REQUESTS = 20_000;
  private static final int WARM_UP_ROUNDS = 3;
  private static final int CALLERS = 8;

  /** The peak of the thesis, in one second after the other. */
  private static final int SIGNED_EACH_TIME = 50;

  private static final Duration SIGNED_EVERY = Duration.ofSeconds(1);
  private static final int SIGNING_CALLERS = 2;

  /** A TimeStampReq, version 1: SHA-256, 32 zero bytes, and the certificates are asked for. */
  private static final byte[] REQUEST =
      HexFormat.of()
          .parseHex(
              "3039020101" + "3031300d060960864801650304020105000420" + "00".repeat(32) + "0101ff");

  /** The integer 0 at the beginning of a TimeStampResp of 256 bytes or more. */
  private static final String GRANTED = "020100";

  private static final int STATUS_AT = 6;

  private final Rig rig;
  private final AbDriver stamping;
  private final List<AbRun> alone = new ArrayList<>();
  private final List<AbRun> beside = new ArrayList<>();
  private final List<AbRun> signedAlone = new ArrayList<>();
  private final List<AbRun> signedBeside = new ArrayList<>();

  /**
   * @param folder for what the callers of time stamps pass
   */
  public StampPart(Rig rig, Path folder) {
    this.rig = rig;
    this.stamping = new AbDriver(folder);
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    int requests = rig.scaled(ROUND_REQUESTS);
    ServiceSettings settings = new ServiceSettings().with("KEYWELL_TSA_ENABLED", "true");
    try (BenchService service = rig.startWarm("stamping", settings.environment())) {
      requireGranted(service.url());
      AbRun _ = stamp(service, WARM_UP_ROUNDS * requests);
      for (int round = 0; round < rounds; round++) {
        if (round % 2 == 0) {
          alone.add(stamp(service, requests));
          signedAlone.add(sign(service));
        }
        beside(service, requests);
        if (round % 2 != 0) {
          alone.add(stamp(service, requests));
          signedAlone.add(sign(service));
        }
        rig.tell(
            "round %d of %d: time stamps alone %.0f, while the service signs %.0f a second"
                .formatted(
                    round + 1, rounds, alone.getLast().perSecond(), beside.getLast().perSecond()));
      }
      requireGranted(service.url());
    }
    return result();
  }

  /** A rejection has status 200 too, and ApacheBench looks no further. */
  private static void requireGranted(URI service) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> answer =
          client.send(
              HttpRequest.newBuilder(service.resolve("/tsa"))
                  .header("Content-Type", "application/timestamp-query")
                  .POST(HttpRequest.BodyPublishers.ofByteArray(REQUEST))
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      String body = HexFormat.of().formatHex(answer.body());
      if (!body.startsWith(GRANTED, 2 * STATUS_AT)) {
        throw new IOException("no time stamp: %d %s".formatted(answer.statusCode(), body));
      }
    }
  }

  private AbRun stamp(BenchService service, int requests) throws IOException, InterruptedException {
    try {
      return stamping.post(
          service.url().resolve("/tsa"),
          "application/timestamp-query",
          REQUEST,
          requests,
          Math.min(CALLERS, requests));
    } catch (IOException e) {
      throw service.explain(e, "the time stamps");
    }
  }

  private AbRun sign(BenchService service) throws IOException, InterruptedException {
    return rig.driver().run(service.url(), Stock.EC, SIGNED_EACH_TIME, SIGNING_CALLERS);
  }

  private void beside(BenchService service, int requests) throws IOException, InterruptedException {
    try (Repeated<AbRun> signing = Repeated.start(SIGNED_EVERY, () -> sign(service))) {
      beside.add(stamp(service, requests));
      signedBeside.add(median(signing.end()));
    }
  }

  private static AbRun median(List<AbRun> runs) {
    return new AbRun(
        Medians.of(runs, AbRun::perSecond),
        Medians.of(runs, AbRun::meanMillis),
        Medians.of(runs, AbRun::p50Millis),
        Medians.of(runs, AbRun::p99Millis));
  }

  private PartResult result() {
    String label = ", while the service signs / alone";
    String signature = "a signature, while time stamps are made / alone";
    List<Reading> readings = new ArrayList<>();
    readings.add(
        Reading.of("time stamps alone", Medians.of(alone, AbRun::perSecond), "requests/s"));
    readings.add(
        Reading.of(
            "time stamps while the service signs",
            Medians.of(beside, AbRun::perSecond),
            "requests/s"));
    latencies(readings, "time stamps alone", alone);
    latencies(readings, "time stamps while the service signs", beside);
    latencies(readings, "signatures alone", signedAlone);
    latencies(readings, "signatures while time stamps are made", signedBeside);
    return new PartResult(
        List.of(
            Ratio.of("time stamps" + label, beside, alone, AbRun::perSecond, Goal.NONE),
            Ratio.of("their p50" + label, beside, alone, AbRun::p50Millis, Goal.NONE),
            Ratio.of("their p99" + label, beside, alone, AbRun::p99Millis, Goal.NONE),
            Ratio.of(
                "p50 of " + signature, signedBeside, signedAlone, AbRun::p50Millis, Goal.NONE)),
        readings);
  }

  private static void latencies(List<Reading> readings, String what, List<AbRun> runs) {
    readings.add(Reading.of(what + ", p50", Medians.of(runs, AbRun::p50Millis), "ms"));
    readings.add(Reading.of(what + ", p99", Medians.of(runs, AbRun::p99Millis), "ms"));
  }
}
