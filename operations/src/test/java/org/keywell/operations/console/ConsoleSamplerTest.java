package org.keywell.operations.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.keywell.ca.CaChain;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolRig;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.operations.console.Sample.PoolSample;
import org.keywell.operations.health.DeviceHealths;
import org.keywell.operations.health.HsmPart;
import org.keywell.operations.health.Moments;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerPlaces;
import org.keywell.signing.pool.PoolDepths;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.AdmissionLimit;
import org.keywell.signing.sign.SignRequestQueue;
import org.keywell.testkit.ManualTime;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** On a pool without threads: the test makes the moves, and the seconds pass. */
final class ConsoleSamplerTest {

  private static final PoolLimits LIMITS = new PoolLimits(EC, 40, 10, 5, 5);
  private static final byte[] NO_BYTES = {};
  private static final CaChain NO_CHAIN = new CaChain(NO_BYTES, List.of());

  private final ManualTime time = new ManualTime();
  private final PoolRig rig =
      new PoolRig(new PoolConfig(PoolConfig.Mode.POOLED, List.of(LIMITS), 2, Duration.ZERO, 1));
  private final PoolDepths depths = new PoolDepths(rig.pools, time);
  private final SignRequestQueue queue = new SignRequestQueue(7, System::nanoTime);
  private final ApplicationAvailabilityBean availability = new ApplicationAvailabilityBean();
  private final RequestFeed requests = new RequestFeed(time);
  private final Subscribers subscribers = new Subscribers();
  private final ConsoleSampler sampler = sampler();

  private ConsoleSampler sampler() {
    ready(ReadinessState.ACCEPTING_TRAFFIC);
    HsmPart hsm =
        new HsmPart(
            new DeviceHealths(rig.pools, List::of, _ -> Optional.empty(), time)::all,
            new Moments(time, time));
    ServiceProbe probe =
        new ServiceProbe(
            rig.pools, depths, queue, () -> 2, List.of(hsm), availability, null, null, null);
    EventFormat format = new EventFormat(JsonMapper.shared());
    return new ConsoleSampler(probe, requests, subscribers, format, time, time);
  }

  private void ready(ReadinessState state) {
    availability.onApplicationEvent(new AvailabilityChangeEvent<>(this, state));
  }

  private Sample afterSeconds(int seconds) {
    time.advance(Duration.ofSeconds(seconds));
    assertThat(sampler.sample()).isEqualTo(Duration.ofSeconds(1));
    return sampler.history().getLast();
  }

  private UUID signed(int millis) {
    UUID id = UUID.randomUUID();
    RequestTimes times = new RequestTimes(time, time);
    times.markAccepted();
    times.mark(Stage.REQUEST_START_TO_PROCESS);
    time.advance(Duration.ofMillis(millis));
    times.mark(Stage.REQUEST_FINISHED);
    requests.ended(
        id,
        times,
        new SignOutcome.Signed(
            List.of(NO_BYTES),
            List.of(),
            new IssuedCertificate(NO_BYTES, "1", NO_CHAIN),
            KeyUse.of(null, NO_BYTES, Destruction.DONE)));
    return id;
  }

  /** The data of the event that waits for a subscriber. */
  private static JsonNode data(Subscription subscription) throws InterruptedException {
    String event =
        new String(subscription.take(Duration.ZERO).orElseThrow(), StandardCharsets.UTF_8);
    assertThat(event).startsWith("event: now\ndata: {").endsWith("}\n\n");
    assertThat(event.lines()).hasSize(3);
    return JsonMapper.shared().readTree(event.substring(event.indexOf('{')));
  }

  @Test
  void ratesAreByTheTimeThatPassed() {
    for (int i = 0; i < 6; i++) {
      signed(0);
    }
    requests.refused(AdmissionLimit.DEADLINE);

    Sample sample = afterSeconds(2);

    assertThat(sample.signedPerSecond()).isEqualTo(3);
    assertThat(sample.unsignedPerSecond()).isEqualTo(0.5);
    assertThat(sample.epochMillis()).isEqualTo(time.millis());
    assertThat(afterSeconds(1).signedPerSecond()).isZero();
  }

  @Test
  void aDepthThatIsNotKnownIsNotZero() {
    assertThat(afterSeconds(1).pools()).containsExactly(new PoolSample(null, 0, null, 0));

    rig.store(EC, 3);
    depths.sample();
    assertThat(afterSeconds(1).pools()).containsExactly(new PoolSample(3L, 0, null, 0));
  }

  @Test
  void keepsTenMinutes() {
    for (int second = 0; second < 700; second++) {
      afterSeconds(1);
    }

    List<Sample> history = sampler.history();
    assertThat(history).hasSize(600);
    assertThat(history.getLast().epochMillis() - history.getFirst().epochMillis())
        .isEqualTo(599_000);
  }

  @Test
  void encodesNothingWhileNobodyWatches() throws InterruptedException {
    afterSeconds(1);
    try (Subscription late = subscribers.subscribe()) {
      assertThat(late.take(Duration.ZERO)).isEmpty();
      afterSeconds(1);
      assertThat(late.take(Duration.ZERO)).isPresent();
    }
  }

  @Test
  void whoWatchesIsToldAll() throws InterruptedException {
    rig.store(EC, 3);
    depths.sample();
    assertThat(queue.reserve(Caller.onLoopback(), KeySpec.EC_P256))
        .isEqualTo(CallerPlaces.Taking.TAKEN);
    Subscription watching = subscribers.subscribe();
    UUID id = signed(12);

    afterSeconds(3);

    assertThat(data(watching))
        .isEqualTo(
            JsonMapper.shared()
                .readTree(
                    """
                    {
                      "sample": {
                        "epochMillis": %d,
                        "signedPerSecond": %s,
                        "unsignedPerSecond": 0.0,
                        "queueLength": 1,
                        "latency": {"p50Millis": 12.031, "p99Millis": 12.031},
                        "pools": [{"stored": 3, "loaded": 0, "emptySeconds": null, "leased": 0}]
                      },
                      "state": {
                        "ready": true,
                        "faults": [],
                        "warnings": [],
                        "hsms": [{"name": "hsm", "up": true, "state": "up", "hung": false}],
                        "orphanedKeys": 0,
                        "openActs": 2,
                        "generatorThreads":
                          {"working": 0, "paused": 0, "full": 0, "failing": 0,
                            "distrusted": 0, "stopped": 2},
                        "kmip": null,
                        "xks": null,
                        "jms": null
                      },
                      "totals": {"signed": 1, "failed": 0, "expired": 0, "refused": 0},
                      "refusal": null,
                      "requests": [{
                        "id": "%s",
                        "ageMillis": 3000,
                        "outcome": "signed",
                        "preGenerated": false,
                        "totalMicros": 12000,
                        "stages": {"accept": 0, "queue": 0, "key": 0, "sign": 0, "certify": 0,
                          "destroy": 0, "other": 12000, "record": 0}
                      }]
                    }
                    """
                        .formatted(time.millis(), 1 / 3.012, id.toString().substring(0, 8))));
  }

  @Test
  void saysWhyTheServiceIsNotReady() throws InterruptedException {
    Subscription watching = subscribers.subscribe();
    ready(ReadinessState.REFUSING_TRAFFIC);
    rig.hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");

    afterSeconds(1);

    JsonNode state = data(watching).path("state");
    assertThat(state.path("ready").asBoolean()).isFalse();
    assertThat(state.path("hsms").path(0).path("up").asBoolean()).isFalse();
    assertThat(state.path("faults").toString())
        .contains("\"part\":\"service\"", "\"part\":\"hsm\"", "CKR_DEVICE_ERROR");
  }
}
