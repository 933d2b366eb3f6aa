package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;

/**
 * Rules 1 and 5 against {@code kill -9}, at any moment of a process's life and under load: three
 * instances with two tokens on one pool and one log, of which one is killed and started again, and
 * again. Four times in the normal run; {@code -Dkeywell.chaos.kills} and {@code
 * -Dkeywell.chaos.seed} say otherwise.
 */
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(3600)
final class KillsChaosIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int INSTANCES = 3;
  private static final int CALLERS = 4;
  private static final int KILLS = Integer.getInteger("keywell.chaos.kills", 4);
  private static final long SEED = Long.getLong("keywell.chaos.seed", 20_261_122L);
  private static final int LONGEST_PAUSE_MILLIS = 3_000;
  private static final Duration JOIN = Duration.ofMinutes(3);

  @TempDir Path home;

  @Test
  void noKeySignsTwiceAndEachRequestHasOneOutcome() throws Exception {
    Random random = new Random(SEED);
    try (Site site = Site.create(home);
        Fleet fleet = Fleet.start(home, settings(site))) {
      fleet.awaitListening(INSTANCES);
      List<FleetCaller> callers = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        FleetCaller caller = new FleetCaller(fleet, SPEC, new Random(random.nextLong()));
        callers.add(caller);
        threads.add(Thread.ofPlatform().name("chaos-caller-" + i).start(caller));
      }
      Findings findings = new Findings(site);
      for (int kill = 0; kill < KILLS; kill++) {
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
        fleet.awaitListening(1);
        fleet.any(random).killAndRestart();
        findings.requireNoneTwice();
        findings.requireBalanced();
      }
      callers.forEach(FleetCaller::stop);
      for (Thread thread : threads) {
        assertThat(thread.join(JOIN)).as("%s ended", thread.getName()).isTrue();
      }
      fleet.awaitListening(INSTANCES);
      for (Member member : fleet.members()) {
        int code = member.terminate();
        assertThat(code).as(member.text()).isIn(0, 143);
      }
      Map<UUID, HttpApi.Answer> answers = new HashMap<>();
      callers.forEach(caller -> answers.putAll(caller.answers()));
      findings.requireAllSettled(answers);
      LogFindings log = new LogFindings(site);
      log.requireComplete();
      findings.report(KILLS, SEED, callers);
      System.out.println(log.summary());
      assertThat(answers.size()).as("there was work when they died").isGreaterThan(10 * KILLS);
    }
  }

  private List<Map<String, String>> settings(Site site) throws Exception {
    SoftHsmToken other = SoftHsmToken.create();
    SharedWrappingKey.enrol(site.token(), other);
    Map<String, String> pool = pool();
    Path otherHome = Files.createDirectories(home.resolve("other-hsm"));
    Map<String, String> here = site.settings(pool);
    Map<String, String> there = Settings.of(other, site.database(), otherHome, pool);
    bootstrap(here, "bootstrap.log");
    bootstrap(there, "bootstrap-other.log");
    return List.of(here, here, there);
  }

  /** One process at a time may make what a token lacks. */
  private void bootstrap(Map<String, String> settings, String log) throws Exception {
    try (KeywellProcess process = KeywellProcess.start(settings, home.resolve(log), "bootstrap")) {
      assertThat(process.awaitExit()).as(process.log()).isZero();
    }
  }

  private static Map<String, String> pool() {
    Map<String, String> pool = new HashMap<>(Settings.pool(SPEC, 40));
    pool.put("keywell.hsm.wrapping-key-label", SharedWrappingKey.LABEL);
    pool.put("keywell.pool.specs.EC-P256.batch-size", "10");
    pool.put("keywell.pool.specs.EC-P256.max-stored", "2000");
    pool.put("keywell.pool.idle-after", "0s");
    pool.put("keywell.log.origin", LogFindings.origin());
    return pool;
  }
}
