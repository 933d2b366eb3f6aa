package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.chaos.FiftyASecond;
import org.keywell.acceptance.running.DirectOrder;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.sign.RequestIntake;
import org.keywell.signing.sign.SignService;

/**
 * One caller asks for more than its share: another is served in its turn, and refused nothing.
 * Times are compared with each other only.
 */
@Timeout(120)
final class FairnessIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int QUEUE_LIMIT = 40;
  private static final int OF_THE_OTHER = 20;
  private static final int OF_THE_FLOODER = 40;
  private static final Caller FLOODER = DirectOrder.caller("flooder");
  private static final Caller OTHER = DirectOrder.caller("other");

  /** When a request passed two stages, by the elapsed-time clock; null: it was refused. */
  private record Passage(long acceptedNanos, long startedNanos, Refusal.@Nullable Reason refusal) {}

  @TempDir Path home;

  @Test
  void whoFloodsIsRefusedBeyondItsShareAndAnotherIsServedInItsTurn() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 200);
      Map<String, String> settings = new HashMap<>(Settings.pool(SPEC, 200));
      settings.put("keywell.sign.queue-limit", Integer.toString(QUEUE_LIMIT));
      settings.put("keywell.hsm.profile", FiftyASecond.profile(home));
      try (RunningKeywell keywell = RunningKeywell.start(site.settings(settings));
          ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        keywell.awaitLoaded(SPEC, 200);
        SignService service = keywell.part(SignService.class);
        List<SignRequest> flooding = requests(keywell, FLOODER, OF_THE_FLOODER + OF_THE_OTHER);
        List<SignRequest> asked = requests(keywell, OTHER, OF_THE_OTHER);
        List<Future<Passage>> flood = new ArrayList<>();
        List<Passage> others = new ArrayList<>();
        for (SignRequest request : flooding.subList(0, OF_THE_FLOODER)) {
          flood.add(callers.submit(() -> sign(service, request)));
        }
        for (int i = 0; i < OF_THE_OTHER; i++) {
          others.add(sign(service, asked.get(i)));
          SignRequest request = flooding.get(OF_THE_FLOODER + i);
          flood.add(callers.submit(() -> sign(service, request)));
        }
        List<Passage> flooded = new ArrayList<>();
        for (Future<Passage> each : flood) {
          flooded.add(each.get(60, TimeUnit.SECONDS));
        }

        assertThat(others).extracting(Passage::refusal).containsOnlyNulls();
        for (Passage other : others) {
          assertThat(flooded)
              .filteredOn(each -> each.refusal() == null)
              .filteredOn(each -> each.startedNanos() > other.acceptedNanos())
              .filteredOn(each -> each.startedNanos() < other.startedNanos())
              .as("of the flooder's, between the receipt of the other's and the work on it")
              .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(flooded)
            .filteredOn(each -> each.refusal() != null)
            .as("beyond half of the queue's places, and one at work")
            .hasSizeBetween(1, OF_THE_FLOODER + OF_THE_OTHER - QUEUE_LIMIT / 2)
            .extracting(Passage::refusal)
            .containsOnly(Refusal.Reason.QUEUE_SHARE);
        assertThat(keywell.scrape().value("keywell_sign_refused_total", "limit", "queue_limit"))
            .isZero();
        assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
            .isEqualTo(
                others.size() + flooded.stream().filter(each -> each.refusal() == null).count());
      }
    }
  }

  /** Made beforehand: what it takes to make one is no part of the race for the queue. */
  private static List<SignRequest> requests(RunningKeywell keywell, Caller caller, int count) {
    RequestIntake intake = keywell.part(RequestIntake.class);
    return Stream.generate(() -> DirectOrder.by(caller, SPEC, Duration.ofSeconds(30), intake))
        .limit(count)
        .toList();
  }

  private static Passage sign(SignService service, SignRequest request)
      throws InterruptedException {
    long began = System.nanoTime();
    RequestTimes times = new RequestTimes(InstantSource.system(), System::nanoTime);
    try {
      SignRecord record = service.sign(request, times);
      assertThat(record.outcome()).isInstanceOf(SignOutcome.Signed.class);
      return new Passage(
          began + times.acceptedNanos().orElseThrow(),
          began + times.elapsedNanos(Stage.REQUEST_START_TO_PROCESS).orElseThrow(),
          null);
    } catch (RefusedException e) {
      return new Passage(0, 0, e.refusal().reason());
    }
  }
}
