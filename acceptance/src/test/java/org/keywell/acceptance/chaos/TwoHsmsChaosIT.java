package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.PatientCallers;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/**
 * Two HSMs in one instance, of which one fails under load: the other signs on, what was accepted
 * ends on record, and the first takes its part again once it is back. Each device signs as fast as
 * a profile says and no faster, since both share the processor that they run on.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(240)
final class TwoHsmsChaosIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int LOADED = 60;
  private static final int HANDLERS = 4;
  private static final int CALLERS = 6;
  private static final long CKR_DEVICE_REMOVED = 0x32;

  /** How long is counted; longer in the chaos lane, whose figures are reported. */
  private static final Duration WINDOW =
      Duration.parse(System.getProperty("keywell.chaos.window", "PT2S"));

  /** More than both can sign meanwhile. */
  private static final int STOCK = (int) (1_200 + 300 * WINDOW.toSeconds());

  private static final Duration CALL_LIMIT = Duration.ofSeconds(3);

  /** Longer than hang-limit. */
  private static final Duration HANG = Duration.ofSeconds(12);

  private static final Duration TO_RECOVER = Duration.ofSeconds(30);

  @TempDir Path home;
  private FaultyModule first;
  private FaultyModule second;
  private Site site;
  private @Nullable KeywellProcess running;
  private @Nullable PatientCallers asking;
  private Map<String, String> settings;

  @BeforeEach
  void prepare() throws Exception {
    first = FaultyModule.create(home.resolve("a"));
    second = FaultyModule.create(home.resolve("b"));
    site = Site.create(home, first.path());
    SoftHsmToken other = SoftHsmToken.create(second.path());
    SharedWrappingKey.enrol(site.token(), other);
    settings = settings(other);
    run(settings, "bootstrap");
    run(settings, "fill", Integer.toString(STOCK), "--key-spec", SPEC.label());
    settings.put("keywell.hsm.bootstrap", "never");
  }

  private void serve() throws Exception {
    running = KeywellProcess.start(settings, home.resolve("keywell.log"), "serve");
    HttpApi http = keywell().awaitReady();
    asking = PatientCallers.start(http, SPEC, CALLERS, Duration.ZERO);
    callers().awaitSignedInARow(100, TO_RECOVER);
  }

  private KeywellProcess keywell() {
    return Objects.requireNonNull(running);
  }

  private PatientCallers callers() {
    return Objects.requireNonNull(asking);
  }

  @AfterEach
  void end() {
    if (running != null) {
      running.close();
    }
    first.close();
    second.close();
    site.close();
  }

  private Map<String, String> settings(SoftHsmToken other) throws Exception {
    Path otherHome = Files.createDirectories(home.resolve("other"));
    Map<String, String> more = new HashMap<>(Settings.pool(SPEC, LOADED));
    more.put("keywell.pool.specs.EC-P256.batch-size", "20");
    more.put("keywell.sign.handler-threads", Integer.toString(HANDLERS));
    more.put("keywell.hsm.profile", FiftyASecond.profile(home));
    more.put("keywell.hsm.call-limit", CALL_LIMIT.toSeconds() + "s");
    more.put("keywell.hsm.hang-limit", "10s");
    more.put("keywell.stop-limit", "12s");
    more.put("keywell.hsm.wrapping-key-label", SharedWrappingKey.LABEL);
    Map<String, String> all = site.settings(more);
    // Without a pool of the kind that the devices prove themselves with.
    all.keySet().removeIf(name -> name.startsWith("keywell.pool.specs.RSA-2048."));
    device(all, 0, "a", site.token(), Objects.requireNonNull(all.get("keywell.hsm.pin-file")));
    device(all, 1, "b", other, other.writePinFile(otherHome).toString());
    return all;
  }

  private static void device(
      Map<String, String> settings, int index, String name, SoftHsmToken token, String pinFile) {
    String prefix = "keywell.hsm.devices[" + index + "].";
    settings.put(prefix + "name", name);
    settings.put(prefix + "module", token.config().module().toString());
    settings.put(prefix + "token-label", token.config().tokenLabel());
    settings.put(prefix + "pin-file", pinFile);
  }

  private void run(Map<String, String> settings, String... command) throws Exception {
    Path log = home.resolve(command[0] + ".log");
    try (KeywellProcess process = KeywellProcess.start(settings, log, command)) {
      assertThat(process.awaitExit()).as(process.log()).isZero();
    }
  }

  @Test
  void oneIsLostWithItsSessionsAndComesBack() throws Exception {
    serve();
    double before = perSecond();

    second.gone(CKR_DEVICE_REMOVED);
    second.forgetSessions();
    callers().awaitSignedInARow(20, TO_RECOVER);
    double meanwhile = perSecond();
    second.back();
    awaitPart(second);
    double after = perSecond();

    System.out.printf(
        "chaos: one of two HSMs lost with its sessions, and back: %.1f signatures/s before, %.1f"
            + " meanwhile, %.1f after%n",
        before, meanwhile, after);
    assertThat(meanwhile).as("signed by one").isGreaterThan(before / 4);
    ends();
  }

  @Test
  void oneIsNotThereAtTheStartAndComesLater() throws Exception {
    second.gone(CKR_DEVICE_REMOVED);
    serve();
    double without = perSecond();
    assertThat(keywell().log()).contains("device b is not there; the start goes on without it");
    assertThat(state("b")).isEqualTo("down");

    second.back();
    awaitPart(second);
    double with = perSecond();

    System.out.printf(
        "chaos: one of two HSMs not there at the start: %.1f signatures/s, %.1f once it has come%n",
        without, with);
    assertThat(state("b")).isEqualTo("up");
    ends();
  }

  private String state(String device) throws Exception {
    return keywell()
        .management()
        .get("/actuator/health/readiness")
        .body()
        .at("/components/hsm/details/devices/" + device + "/state")
        .asString();
  }

  /** Nothing takes the call back: the other device signs on, and the process does not end. */
  @Test
  void oneHangsForEver() throws Exception {
    serve();
    double before = perSecond();

    second.inject("C_Sign", Fault.hanging());
    Thread.sleep(HANG);
    callers().awaitSignedInARow(20, TO_RECOVER);
    double meanwhile = perSecond();

    System.out.printf(
        "chaos: one of two HSMs hangs for ever: %.1f signatures/s before, %.1f after %d s%n",
        before, meanwhile, HANG.toSeconds());
    assertThat(keywell().isAlive()).as("hang-limit is over, and one signs").isTrue();
    assertThat(meanwhile).as("signed by one").isGreaterThan(before / 4);
    callers().stop();
    keywell().terminate();
    assertThat(keywell().awaitExit()).as(keywell().log()).isIn(0, 75, 143);
    assertThat(callers().keysSeenTwice()).isZero();
    new Findings(site).requireNoneTwice();
    new Findings(site).requireBalanced();
    assertThat(site.sql().count("SELECT count(*) FROM pool_key"))
        .as("those of the device that works are back in the store")
        .isGreaterThan(STOCK - callers().signed() - LOADED - 3L * HANDLERS);
  }

  /** Once the call is back, a proof with a kind that is not pooled is what it has to pass. */
  @Test
  void oneHangsForAWhileAndTakesItsPartAgain() throws Exception {
    serve();

    second.inject("C_Sign", Fault.hanging().times(1));
    Await.until("a call hangs", () -> second.faults("C_Sign") > 0);
    Thread.sleep(CALL_LIMIT.plusSeconds(1));
    callers().awaitSignedInARow(20, TO_RECOVER);
    second.clear("C_Sign");
    awaitPart(second);

    assertThat(state("b")).isEqualTo("up");
    ends();
  }

  private double perSecond() throws InterruptedException {
    int before = callers().signed();
    Thread.sleep(WINDOW);
    return 1e9 * (callers().signed() - before) / WINDOW.toNanos();
  }

  /** Waits until the device signs for requests again. */
  private static void awaitPart(FaultyModule device) throws InterruptedException {
    long before = device.calls("C_Sign");
    Await.until("the device signs", () -> device.calls("C_Sign") > before + 50);
  }

  private void ends() throws Exception {
    callers().stop();
    keywell().terminate();
    assertThat(keywell().awaitExit()).as(keywell().log()).isIn(0, 143);
    assertThat(callers().keysSeenTwice()).isZero();
    new Findings(site).requireAllSettled(Map.of());
    assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'failed'"))
        .as(
            "those who had a key of the lost device, or asked until it counted as lost; %s",
            callers())
        .isLessThanOrEqualTo(2 * HANDLERS);
    assertThat(
            STOCK
                - site.sql().count("SELECT count(*) FROM pool_key")
                - site.sql().count("SELECT count(*) FROM sign_request WHERE key_id IS NOT NULL"))
        .as("keys lost without a signature")
        .isBetween(0L, (long) HANDLERS);
  }
}
