package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.KmipClients;
import org.keywell.acceptance.running.KmipConnection;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.LedgerBalance;
import org.keywell.kmip.ttlv.TtlvException;
import org.keywell.testkit.Await;
import org.keywell.testkit.Sql;

/** Two instances give pairs of one pool, and are killed in turn while they do. */
@Tag("fault")
@Tag("process")
@Timeout(300)
final class KmipKillsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int KILLS = 6;
  private static final int CLIENTS = 3;

  /** More than a claim takes, so that one is killed in the middle of a batch as often as not. */
  private static final int BETWEEN = 50;

  private final AtomicBoolean ended = new AtomicBoolean();

  /** An instance that is started again under its name. */
  private static final class Instance implements AutoCloseable {
    private final AtomicInteger given = new AtomicInteger();
    private final Map<String, String> settings;
    private final Path logs;
    private KeywellProcess process;
    private volatile int port;

    private Instance(Map<String, String> settings, Path logs) throws Exception {
      this.settings = settings;
      this.logs = logs;
      start();
    }

    private void start() throws Exception {
      Path log = Files.createTempFile(logs, settings.get("keywell.instance"), ".log");
      process = KeywellProcess.start(settings, log, "serve");
      var _ = process.awaitReady();
      port = process.kmipPort();
    }

    private void awaitMore() throws InterruptedException {
      int before = given.get();
      Await.until("more pairs are given", () -> given.get() >= before + BETWEEN);
    }

    private void stop() throws Exception {
      process.terminate();
      assertThat(process.awaitExit()).as(process.log()).isIn(0, 143);
    }

    @Override
    public void close() {
      process.close();
    }
  }

  @Test
  void eachPairHasOneOwnerAndIsAccountedFor(@TempDir Path home, @TempDir Path files)
      throws Exception {
    KmipClients kmip = KmipClients.create(files);
    try (Site site = Site.create(home);
        Instance one = new Instance(settings(site, kmip, "one"), home);
        Instance two = new Instance(settings(site, kmip, "two"), home);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<String>>> clients = new ArrayList<>();
      for (Instance instance : List.of(one, two)) {
        for (int i = 0; i < CLIENTS; i++) {
          clients.add(threads.submit(() -> createPairs(kmip, instance)));
        }
      }
      try {
        killInTurn(one, two);
      } finally {
        ended.set(true);
      }
      Set<String> answered = new HashSet<>();
      for (Future<List<String>> client : clients) {
        client
            .get(60, TimeUnit.SECONDS)
            .forEach(id -> assertThat(answered.add(id)).as(id).isTrue());
      }
      one.stop();
      two.stop();
      assertOwned(site.sql(), answered);
      assertThat(site.ledger().balances())
          .as("all keys")
          .allMatch(balance -> balance.difference() == 0)
          .as("pairs that were claimed by a killed instance")
          .anyMatch(balance -> balance.forfeited() > 0)
          .extracting(LedgerBalance::claimed)
          .containsOnly(0L);
    }
  }

  private static void killInTurn(Instance one, Instance two) throws Exception {
    for (int i = 0; i < KILLS; i++) {
      Instance killed = i % 2 == 0 ? one : two;
      Instance other = i % 2 == 0 ? two : one;
      killed.awaitMore();
      killed.process.kill();
      other.awaitMore();
      killed.start();
    }
    one.awaitMore();
    two.awaitMore();
  }

  /** A failed request may have made a pair, which nobody knows of. */
  private List<String> createPairs(KmipClients kmip, Instance instance)
      throws InterruptedException {
    List<String> ids = new ArrayList<>();
    while (!ended.get()) {
      try (KmipConnection manager = kmip.connect(instance.port)) {
        while (!ended.get()) {
          String id = manager.createPair(SPEC).orElseThrow(() -> new IOException("refused"));
          ids.add(id);
          instance.given.incrementAndGet();
        }
      } catch (IOException | TtlvException _) {
        // It was killed, or is about to start.
        Thread.sleep(20);
      }
    }
    return ids;
  }

  private static void assertOwned(Sql sql, Set<String> answered) throws Exception {
    KmipClients.assertOneOwnerEach(sql, answered);
    assertThat(sql.count("SELECT count(*) FROM managed_object WHERE object_type = 3"))
        .as("public keys for each private key")
        .isEqualTo(sql.count("SELECT count(*) FROM managed_object WHERE object_type = 4"));
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM managed_object m JOIN pool_key p
                  ON m.material IN (p.public_key, p.wrapped_private_key)
                """))
        .as("keys that have an owner and are in the pool")
        .isZero();
  }

  private static Map<String, String> settings(Site site, KmipClients kmip, String name) {
    Map<String, String> all = new HashMap<>(kmip.settings());
    all.putAll(Settings.pool(SPEC, 5));
    all.put("keywell.instance", name);
    all.put("keywell.kmip.pool." + SPEC.label() + ".max-stored", "400");
    return site.settings(all);
  }
}
