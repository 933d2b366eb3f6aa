package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
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
import org.keywell.testkit.Await;
import org.keywell.testkit.Sql;

/**
 * An instance stands still in the very transaction that extends the tree, while another one signs
 * on: for ten seconds, or {@code -Dkeywell.chaos.frozen-seconds}.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(600)
final class FrozenSequencerChaosIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  /** Many: those that a frozen instance does not answer wait for it. */
  private static final int CALLERS = 8;

  private static final Duration FROZEN =
      Duration.ofSeconds(Integer.getInteger("keywell.chaos.frozen-seconds", 10));
  private static final Duration JOIN = Duration.ofMinutes(3);

  /** So that transactions last long enough to be hit. */
  private static final String SLOW =
      """
      CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END $$;
      CREATE TRIGGER slowly BEFORE UPDATE OF root ON log_tree FOR EACH ROW EXECUTE FUNCTION slowly()
      """;

  private static final String AT_WORK =
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'UPDATE log_tree%' AND state = '";

  @TempDir Path home;

  @Test
  void theTreeGoesOnAndIsNotForked() throws Exception {
    try (Site site = Site.create(home)) {
      Map<String, String> settings = site.settings(pool());
      try (KeywellProcess bootstrap =
          KeywellProcess.start(settings, home.resolve("bootstrap.log"), "bootstrap")) {
        assertThat(bootstrap.awaitExit()).as(bootstrap.log()).isZero();
      }
      try (Fleet fleet = Fleet.start(home, List.of(settings, settings))) {
        fleet.awaitListening(2);
        site.sql().update(SLOW);
        List<FleetCaller> callers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          FleetCaller caller = new FleetCaller(fleet, SPEC, new Random(i));
          callers.add(caller);
          threads.add(Thread.ofPlatform().name("chaos-caller-" + i).start(caller));
        }
        Member frozen = fleet.members().getFirst();
        Await.until(
            "it stands still while it extends the tree", () -> isCaught(frozen, site.sql()));
        long before = size(site.sql());
        Thread.sleep(FROZEN);
        long meanwhile = size(site.sql()) - before;
        frozen.thaw();
        fleet.awaitListening(2);
        Thread.sleep(Duration.ofSeconds(3));
        callers.forEach(FleetCaller::stop);
        for (Thread thread : threads) {
          assertThat(thread.join(JOIN)).as("%s ended", thread.getName()).isTrue();
        }
        for (Member member : fleet.members()) {
          assertThat(member.terminate()).as(member.text()).isIn(0, 143);
          assertThat(member.text()).doesNotContain("the log was altered", "the log lacks");
        }

        assertThat(meanwhile).as("entries while it stood still").isPositive();
        assertThat(frozen.text()).contains("this process stood still");
        Map<UUID, HttpApi.Answer> answers = new HashMap<>();
        callers.forEach(caller -> answers.putAll(caller.answers()));
        new Findings(site).requireAllSettled(answers);
        LogFindings log = new LogFindings(site);
        log.requireComplete();
        System.out.printf(
            "chaos: frozen for %s in the transaction; %d entries meanwhile; %s%n",
            FROZEN, meanwhile, log.summary());
      }
    }
  }

  /** Whether the instance is frozen, and the transaction open that was its own. */
  private static boolean isCaught(Member member, Sql sql) throws Exception {
    if (sql.count(AT_WORK + "active'") == 0) {
      return false;
    }
    member.freeze();
    Thread.sleep(Duration.ofMillis(500));
    if (sql.count(AT_WORK + "idle in transaction'") > 0) {
      return true;
    }
    member.thaw();
    return false;
  }

  private static long size(Sql sql) throws SQLException {
    return sql.count("SELECT size FROM log_tree");
  }

  private static Map<String, String> pool() {
    Map<String, String> pool = new HashMap<>(Settings.pool(SPEC, 40));
    pool.put("keywell.pool.specs.EC-P256.batch-size", "10");
    pool.put("keywell.pool.specs.EC-P256.max-stored", "2000");
    pool.put("keywell.pool.idle-after", "0s");
    pool.put("keywell.log.origin", LogFindings.origin());
    return pool;
  }
}
