package org.keywell.acceptance;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KmipClients;
import org.keywell.acceptance.running.KmipConnection;
import org.keywell.acceptance.running.Relay;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;
import org.keywell.service.kmip.KmipDoor;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

/**
 * Two HSMs, of which the first one, east, keeps managed keys: what its clients see when it fails,
 * or the database, and that signing goes on in the second one.
 */
@Timeout(240)
@org.junit.jupiter.api.Tag("fault")
final class KmipFaultsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final int CLIENTS = 4;
  private static final int STORED = 400;

  private final Database database = PostgresForTests.newDatabase();
  private final SoftHsmToken west = SoftHsmToken.create();
  private final Path home;
  private final KmipClients kmip;
  private final FaultyModule module;
  private final SoftHsmToken east;

  KmipFaultsIT(@TempDir Path home) throws Exception {
    this.home = home;
    module = FaultyModule.create(home.resolve("east"));
    east = SoftHsmToken.create(module.path());
    kmip = KmipClients.create(home);
  }

  @AfterEach
  void endFaults() {
    module.close();
  }

  private RunningKeywell start(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(kmip.settings());
    all.putAll(Settings.pool(SPEC, 5));
    all.put("keywell.pool.specs." + SPEC.label() + ".max-stored", "40");
    all.put("keywell.hsm.call-limit", "2s");
    all.put("keywell.hsm.hang-limit", "0");
    all.putAll(Settings.besides(west));
    all.put("keywell.kmip.pool." + SPEC.label() + ".max-stored", Integer.toString(STORED));
    all.putAll(more);
    return RunningKeywell.start(Settings.of(east, database, home, all));
  }

  private KmipConnection connect(RunningKeywell keywell) throws IOException {
    String address = keywell.part(KmipDoor.class).address();
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return kmip.connect(port);
  }

  private static void awaitPairs(Sql sql, int pairs) throws InterruptedException {
    Await.until(
        "pairs are made ahead",
        () ->
            sql.count(
                    "SELECT count(*) FROM pool_key WHERE wrapping_key_id LIKE 'keywell-managed:%'")
                >= pairs);
  }

  private static void assertSigns(RunningKeywell keywell) throws Exception {
    HttpApi.Answer answer = keywell.http().sign(SignBody.of("document").keySpec(SPEC));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
  }

  @Test
  void aLostTokenOfManagedKeysComesBackAndSigningGoesOnMeanwhile() throws Exception {
    try (RunningKeywell keywell = start(Map.of());
        var dataSource = database.dataSource();
        KmipConnection manager = connect(keywell)) {
      awaitPairs(new Sql(dataSource), 40);
      String id = manager.createAes();
      byte[] key = manager.get(id);
      assertThat(manager.createPair(SPEC)).isPresent();
      assertNothingWrongLeaves(manager, id);

      module.gone(CKR_DEVICE_REMOVED);
      module.forgetSessions();

      assertThat(manager.ask("Get", Tag.named("UniqueIdentifier").item(new Value.Text(id))))
          .containsExactly("Get", "OperationFailed", "GeneralFailure");
      assertThat(manager.createPair(SPEC)).as("a pair that was claimed before").isPresent();
      for (int i = 0; i < 5; i++) {
        Await.until("west signs", () -> signs(keywell));
      }

      module.back();

      Await.until("the token serves again", manager::isServed);
      assertThat(manager.get(id)).isEqualTo(key);
      assertSigns(keywell);
    }
    assertAccountedFor();
  }

  /** What the token spoils is neither acknowledged nor handed out, and not the client's fault. */
  private void assertNothingWrongLeaves(KmipConnection manager, String id) throws IOException {
    assertSpoiltIsWithheld(manager, "C_WrapKey", "Create", KmipConnection.newAes());
    Item key = Tag.named("UniqueIdentifier").item(new Value.Text(id));
    assertSpoiltIsWithheld(manager, "C_GetAttributeValue", "Get", key);
  }

  private void assertSpoiltIsWithheld(
      KmipConnection manager, String function, String operation, Item... payload)
      throws IOException {
    module.inject(function, Fault.corrupting());
    for (int i = 0; i < 2; i++) {
      assertThat(manager.ask(operation, payload))
          .as(function)
          .containsExactly(operation, "OperationFailed", "GeneralFailure");
    }
    module.clear(function);
    assertThat(manager.ask(operation, payload)).startsWith(operation, "Success");
  }

  private static boolean signs(RunningKeywell keywell) throws Exception {
    return keywell.http().sign(SignBody.of("document").keySpec(SPEC)).status() == 200;
  }

  /** The one that waits is answered in the end; the others are refused rather than queued. */
  @Test
  void aCallThatHangsHoldsUpNobodyElse() throws Exception {
    try (RunningKeywell keywell = start(Map.of());
        KmipConnection first = connect(keywell);
        KmipConnection second = connect(keywell);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Await.until("it signs", () -> signs(keywell));
      module.inject("C_GenerateRandom", Fault.hanging().times(1));
      Future<Boolean> waiting = callers.submit(first::isServed);
      Await.until("the call hangs", () -> module.faults("C_GenerateRandom") > 0);

      Await.until("the device counts as down", () -> !second.isServed());
      Await.until("west signs", () -> signs(keywell));

      module.clear("C_GenerateRandom");
      assertThat(waiting.get(30, SECONDS)).isTrue();
      Await.until("the token serves again", second::isServed);
    }
    assertAccountedFor();
  }

  /** Each answer holds, no pair has two owners, and the account of pairs balances. */
  @Test
  void aDatabaseThatCannotBeReachedLosesNoPair() throws Exception {
    URI server = URI.create(database.url().substring("jdbc:".length()));
    Relay relay = Relay.start(0, server);
    String url = database.url().replaceFirst(":\\d+/", ":" + relay.port() + "/");
    AtomicBoolean back = new AtomicBoolean();
    Set<String> answered = new HashSet<>();
    int failed = 0;
    try (RunningKeywell keywell = start(Map.of("keywell.database.url", url));
        var dataSource = database.dataSource();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      awaitPairs(new Sql(dataSource), STORED);
      List<Future<Pairs>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> createPairs(keywell, back)));
      }
      Await.until("pairs are given", () -> objects(new Sql(dataSource)) > 40);
      relay.close();
      // Longer than anybody waits for a connection.
      Thread.sleep(Duration.ofSeconds(7));
      // It ends with the process.
      var _ = Relay.start(relay.port(), server);
      back.set(true);

      for (Future<Pairs> client : clients) {
        Pairs pairs = client.get(120, SECONDS);
        pairs.ids().forEach(id -> assertThat(answered.add(id)).as(id).isTrue());
        failed += pairs.failed();
      }
      assertThat(failed).as("operations that were refused meanwhile").isPositive();
    }
    try (var dataSource = database.dataSource()) {
      KmipClients.assertOneOwnerEach(new Sql(dataSource), answered);
    }
    assertAccountedFor();
  }

  private record Pairs(List<String> ids, int failed) {}

  /** Until ten more are given once the database is back. */
  private Pairs createPairs(RunningKeywell keywell, AtomicBoolean back) throws IOException {
    List<String> ids = new ArrayList<>();
    int failed = 0;
    int after = 0;
    try (KmipConnection manager = connect(keywell)) {
      while (after < 10) {
        Optional<String> id = manager.createPair(SPEC);
        id.ifPresent(ids::add);
        failed += id.isEmpty() ? 1 : 0;
        after += id.isPresent() && back.get() ? 1 : 0;
      }
    }
    return new Pairs(ids, failed);
  }

  private static long objects(Sql sql) throws Exception {
    return sql.count("SELECT count(*) FROM managed_object");
  }

  private void assertAccountedFor() {
    try (var dataSource = database.dataSource()) {
      assertThat(new KeyLedger(dataSource).balances())
          .allMatch(balance -> balance.difference() == 0);
    }
  }
}
