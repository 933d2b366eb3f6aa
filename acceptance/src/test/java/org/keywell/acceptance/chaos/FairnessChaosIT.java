package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.DirectOrder;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.acceptance.running.TlsCallers;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.RequestIntake;
import org.keywell.signing.sign.SignService;

/**
 * Two callers over TLS, each with half of a device that signs about 50 times a second. One asks ten
 * times a second, evenly; then the other floods at ten times its share. What that does to the
 * first's 99th percentile is printed as a ratio. A device that signs one after the other and is not
 * preempted can double what a signature takes, and no queue can help that. The flood comes over as
 * many connections as a pool of clients has: one that opens a new one for each request spends the
 * processor on handshakes, which here is that of the service as well. Seconds by default, where no
 * figure decides; {@code -Dkeywell.chaos.fairness=PT60S} says otherwise.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(900)
final class FairnessChaosIT {

  private static final Duration WINDOW =
      Duration.parse(System.getProperty("keywell.chaos.fairness", "PT4S"));

  private static final boolean FIGURES_DECIDE = WINDOW.compareTo(Duration.ofMinutes(1)) >= 0;
  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final double STEADY_PER_SECOND = 10;

  /** Half of what the device signs, ten times. */
  private static final double FLOOD_PER_SECOND = 250;

  /**
   * More than wait at a time: they are held back for 75 ms, or wait in their share of the queue.
   */
  private static final int FLOOD_CONNECTIONS = 120;

  /** Before either counts. */
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  /** Two, and what a machine adds that does other things as well. */
  private static final double MOST = 3;

  private static final String SIGNED = "signed";

  /**
   * @param end {@link #SIGNED}, or why not
   */
  private record Result(String end, double millis) {}

  @TempDir Path home;
  @TempDir Path files;

  @Test
  void aFloodOfAnotherAtMostDoublesTheLatency() throws Exception {
    TlsCallers callers = TlsCallers.create(files, Map.of("steady", "", "flooder", ""));
    try (Site site = Site.create(home)) {
      site.stock(SPEC, (int) (55 * (2 * WINDOW.toSeconds() + 20)));
      Map<String, String> more = new HashMap<>(Settings.pool(SPEC, 500));
      more.put("keywell.hsm.profile", FiftyASecond.profile(home));
      // Of the flooder as many as it opens: that a port cuts connections is another matter.
      more.put("keywell.http.max-connections", "10000");
      try (KeywellProcess keywell =
              KeywellProcess.start(
                  site.settings(more, callers.settings()), home.resolve("keywell.log"), "serve");
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        int port = keywell.awaitReady().base().getPort();
        HttpApi steady = callers.http(port, "steady");
        HttpApi flooder = callers.http(port, "flooder");
        measure("over TLS", threads, () -> ask(steady), () -> ask(flooder));
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
      }
    }
  }

  /**
   * A flood of new TLS connections from another address, as fast as the processor lets them be
   * made: the steady caller keeps its own, and signs.
   */
  @Test
  void norDoesAFloodOfNewConnections() throws Exception {
    TlsCallers callers = TlsCallers.create(files, Map.of("steady", "", "flooder", ""));
    try (Site site = Site.create(home)) {
      site.stock(SPEC, (int) (15 * (2 * WINDOW.toSeconds() + 20)));
      Map<String, String> more = new HashMap<>(Settings.pool(SPEC, 200));
      more.put("keywell.hsm.profile", FiftyASecond.profile(home));
      try (KeywellProcess keywell =
              KeywellProcess.start(
                  site.settings(more, callers.settings()), home.resolve("keywell.log"), "serve");
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        int port = keywell.awaitReady().base().getPort();
        HttpApi steady = callers.http(port, "steady", InetAddress.getByName("127.0.0.3"));
        run(threads, () -> ask(steady), STEADY_PER_SECOND, WARM_UP);
        List<Result> alone = run(threads, () -> ask(steady), STEADY_PER_SECOND, WINDOW);
        List<Result> beside;
        long connections;
        try (NewConnections flood =
            NewConnections.start(files, port, "flooder", WARM_UP.plus(WINDOW))) {
          run(threads, () -> ask(steady), STEADY_PER_SECOND, WARM_UP);
          beside = run(threads, () -> ask(steady), STEADY_PER_SECOND, WINDOW);
          connections = flood.made();
        }
        double ratio = percentile(beside, 99) / percentile(alone, 99);
        System.out.printf(
            "chaos: fairness, new connections: alone p50 %.1f ms, p99 %.1f ms; beside %d new"
                + " connections/s: p50 %.1f ms, p99 %.1f ms; p99 times %.2f%n",
            percentile(alone, 50),
            percentile(alone, 99),
            connections / WARM_UP.plus(WINDOW).toSeconds(),
            percentile(beside, 50),
            percentile(beside, 99),
            ratio);
        assertThat(counts(beside)).containsOnlyKeys(SIGNED);
        assertThat(connections).isGreaterThan(WINDOW.toSeconds());
        if (FIGURES_DECIDE) {
          assertThat(ratio).as("p99 beside the flood by p99 alone").isLessThan(MOST);
        }
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
      }
    }
  }

  /** Where callers cost the processor next to nothing, so that the queue shows. */
  @Test
  void norBelowHttp() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, (int) (55 * (2 * WINDOW.toSeconds() + 20)));
      Map<String, String> more = new HashMap<>(Settings.pool(SPEC, 500));
      more.put("keywell.hsm.profile", FiftyASecond.profile(home));
      try (RunningKeywell keywell = RunningKeywell.start(site.settings(more));
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        SignService service = keywell.part(SignService.class);
        RequestIntake intake = keywell.part(RequestIntake.class);
        Caller steady = DirectOrder.caller("steady");
        Caller flooder = DirectOrder.caller("flooder");
        measure(
            "below HTTP",
            threads,
            () -> ask(intake, service, steady),
            () -> ask(intake, service, flooder));
      }
    }
  }

  private static void measure(
      String where, ExecutorService threads, Callable<String> steady, Callable<String> flooder)
      throws Exception {
    run(threads, steady, STEADY_PER_SECOND, WARM_UP);
    List<Result> alone = run(threads, steady, STEADY_PER_SECOND, WINDOW);
    List<Result> beside;
    List<Result> flooded;
    try (ExecutorService connections = Executors.newFixedThreadPool(FLOOD_CONNECTIONS)) {
      Future<List<Result>> flood =
          threads.submit(() -> run(connections, flooder, FLOOD_PER_SECOND, WARM_UP.plus(WINDOW)));
      run(threads, steady, STEADY_PER_SECOND, WARM_UP);
      beside = run(threads, steady, STEADY_PER_SECOND, WINDOW);
      flooded = flood.get(5, TimeUnit.MINUTES);
    }

    double ratio = percentile(beside, 99) / percentile(alone, 99);
    System.out.printf(
        "chaos: fairness %s: %.0f/s of one caller for %d s: p50 %.1f ms, p99 %.1f ms; beside"
            + " %.0f/s of another: p50 %.1f ms, p99 %.1f ms; p99 times %.2f%n",
        where,
        STEADY_PER_SECOND,
        WINDOW.toSeconds(),
        percentile(alone, 50),
        percentile(alone, 99),
        FLOOD_PER_SECOND,
        percentile(beside, 50),
        percentile(beside, 99),
        ratio);
    System.out.printf("chaos: fairness %s: the flood: %s%n", where, counts(flooded));
    assertThat(counts(alone)).containsOnlyKeys(SIGNED);
    assertThat(counts(beside))
        .as("nothing of the steady caller is refused")
        .containsOnlyKeys(SIGNED);
    assertThat(counts(flooded)).containsKeys(SIGNED, "queue-share");
    if (FIGURES_DECIDE) {
      assertThat(ratio).as("p99 beside the flood by p99 alone").isLessThan(MOST);
    }
  }

  /** Requests at a rate, whenever they are answered. */
  private static List<Result> run(
      ExecutorService threads, Callable<String> ask, double perSecond, Duration time)
      throws Exception {
    List<Future<Result>> asked = new ArrayList<>();
    long start = System.nanoTime();
    long count = Math.round(perSecond * time.toMillis() / 1000);
    for (long i = 0; i < count; i++) {
      long due = start + Math.round(i * 1e9 / perSecond);
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      asked.add(threads.submit(() -> new Result(ask.call(), (System.nanoTime() - due) / 1e6)));
    }
    List<Result> results = new ArrayList<>();
    for (Future<Result> each : asked) {
      results.add(each.get(2, TimeUnit.MINUTES));
    }
    return results;
  }

  private static String ask(HttpApi http) throws InterruptedException {
    try {
      UUID id = UUID.randomUUID();
      HttpApi.Answer answer = http.sign(SignBody.of("document").requestId(id).keySpec(SPEC));
      return answer.status() == 200 ? SIGNED : answer.problem();
    } catch (IOException e) {
      return "no answer: " + e.getMessage();
    }
  }

  private static String ask(RequestIntake intake, SignService service, Caller caller)
      throws InterruptedException {
    try {
      SignRecord record =
          service.sign(
              DirectOrder.by(caller, SPEC, Duration.ofSeconds(3), intake),
              new RequestTimes(InstantSource.system(), System::nanoTime));
      return record.outcome() instanceof SignOutcome.Signed ? SIGNED : "not signed";
    } catch (RefusedException e) {
      return e.refusal().reason().label();
    }
  }

  private static double percentile(List<Result> results, double percent) {
    double[] millis = results.stream().mapToDouble(Result::millis).sorted().toArray();
    return millis[(int) Math.min(millis.length - 1, millis.length * percent / 100)];
  }

  private static Map<String, Integer> counts(List<Result> results) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Result result : results) {
      counts.merge(result.end(), 1, Integer::sum);
    }
    return counts;
  }
}
