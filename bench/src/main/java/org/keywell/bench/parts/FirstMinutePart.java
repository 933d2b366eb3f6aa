package org.keywell.bench.parts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;

/**
 * Part k: the first minute of a new process at half a warm one's rate, from its readiness on,
 * compared with a later half minute; also its first seconds without the service's warm-up. EC keys
 * only: for RSA, a minute at half the rate takes an hour of key generation.
 */
public record FirstMinutePart(Rig rig) implements Part {
  private static final Goal GOAL = Goal.of(3, 2);

  private static final Duration MINUTE = Duration.ofSeconds(60);
  private static final Duration SECONDS = Duration.ofSeconds(12);
  private static final Duration LATER = Duration.ofSeconds(30);

  /** Saturates the service: the callers of part c, and its requests per round. */
  private static final int CALLERS = 32;

  private static final int SATURATING = 2_500;

  /** The loader keeps this many loaded, and nobody signs with the last of them. */
  private static final int LEFT_LOADED = 1_000;

  private static final String WARM_UP = "KEYWELL_WARMUP";
  private static final String AS_BY_DEFAULT = "3s";
  private static final String NONE = "0s";

  /** Requests and connections: a service that falls behind shows in latencies, not in refusals. */
  private static final String WAITING = "10000";

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    double perSecond = rate();
    List<Round> all = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      Round measured = round(round, perSecond);
      all.add(measured);
      rig.tell(
          String.format(
              Locale.ROOT,
              "round %d of %d: p99 %.1f ms in the first minute, %.1f ms later",
              round + 1,
              rounds,
              measured.minute().p99(),
              measured.later().p99()));
    }
    return new PartResult(ratios(all), readings(perSecond, all));
  }

  /**
   * Returns half the requests per second of a warm service; less if the stock would not last. Also
   * warms up this process, so that later figures do not include the driver's compilation.
   */
  private double rate() throws IOException, InterruptedException {
    int requests = rig.scaled(SATURATING);
    try (BenchService service = rig.startWarm("saturated", settings(NONE));
        SteadyLoad load = new SteadyLoad(service.url())) {
      load.warmUp(rig.scaled(SteadyLoad.WARM_UP_KEYS));
      double saturated =
          rig.driver()
              .run(service.url(), Stock.EC, requests, Math.min(CALLERS, requests))
              .perSecond();
      double keys = Stock.USUAL.ec() - LEFT_LOADED;
      return Math.min(saturated / 2, keys / MINUTE.plus(LATER).toSeconds());
    }
  }

  private static Map<String, String> settings(String warmUp) {
    return new ServiceSettings()
        .with("KEYWELL_SIGN_QUEUELIMIT", WAITING)
        .with("KEYWELL_HTTP_MAXCONNECTIONS", WAITING)
        .with(WARM_UP, warmUp)
        .environment();
  }

  private record Round(
      FromDue seconds, FromDue minute, FromDue later, FromDue secondsWithoutWarmUp) {}

  private Round round(int round, double perSecond) throws IOException, InterruptedException {
    List<FromDue> cold = new ArrayList<>();
    if (round % 2 != 0) {
      cold.add(withoutWarmUp(perSecond));
    }
    List<Sample> minute;
    List<Sample> later;
    try (BenchService service = rig.start("first-minute", settings(AS_BY_DEFAULT));
        SteadyLoad load = new SteadyLoad(service.url())) {
      try {
        minute = load.outcomes(schedule(perSecond, MINUTE), Stock.EC);
        later = load.run(schedule(perSecond, LATER), Stock.EC);
      } catch (IOException e) {
        throw service.explain(e, "the later load");
      }
    }
    if (cold.isEmpty()) {
      cold.add(withoutWarmUp(perSecond));
    }
    int first = schedule(perSecond, SECONDS).requests();
    return new Round(
        FromDue.of(minute.subList(0, first)),
        FromDue.of(minute),
        FromDue.of(later),
        cold.getFirst());
  }

  private FromDue withoutWarmUp(double perSecond) throws IOException, InterruptedException {
    try (BenchService service = rig.start("without-warm-up", settings(NONE));
        SteadyLoad load = new SteadyLoad(service.url())) {
      return FromDue.of(load.outcomes(schedule(perSecond, SECONDS), Stock.EC));
    }
  }

  private Schedule schedule(double perSecond, Duration time) {
    int requests = rig.scaled((int) Math.round(perSecond * time.toSeconds()));
    return Schedule.constant("first minute", perSecond, requests / perSecond);
  }

  private static List<Ratio> ratios(List<Round> rounds) {
    List<Double> minute = new ArrayList<>();
    List<Double> seconds = new ArrayList<>();
    List<Double> cold = new ArrayList<>();
    for (Round round : rounds) {
      double later = round.later().p99();
      minute.add(round.minute().p99() / later);
      seconds.add(round.seconds().p99() / later);
      cold.add(round.secondsWithoutWarmUp().p99() / later);
    }
    return List.of(
        new Ratio("p99 of the first minute / of a later half minute, EC-P256", minute, GOAL),
        new Ratio("p99 of the first 12 s / of a later half minute, EC-P256", seconds, Goal.NONE),
        new Ratio("the same without the warm-up", cold, Goal.NONE));
  }

  private static List<Reading> readings(double perSecond, List<Round> rounds) {
    List<Reading> readings = new ArrayList<>();
    readings.add(Reading.of("rate of the first minute, EC-P256", perSecond, "requests/s"));
    add(readings, "first minute", rounds.stream().map(Round::minute).toList());
    add(readings, "first 12 s", rounds.stream().map(Round::seconds).toList());
    add(readings, "later half minute", rounds.stream().map(Round::later).toList());
    add(
        readings,
        "first 12 s without the warm-up",
        rounds.stream().map(Round::secondsWithoutWarmUp).toList());
    return readings;
  }

  private static void add(List<Reading> readings, String what, List<FromDue> rounds) {
    readings.add(Reading.of(what + ", p50", Medians.of(rounds, FromDue::p50), "ms"));
    readings.add(Reading.of(what + ", p99", Medians.of(rounds, FromDue::p99), "ms"));
    double lost = rounds.stream().mapToInt(FromDue::notSigned).sum();
    if (lost > 0) {
      readings.add(Reading.of(what + ", not signed in all rounds", lost, "requests"));
    }
  }
}
