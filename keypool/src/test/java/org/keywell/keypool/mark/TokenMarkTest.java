package org.keywell.keypool.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.TokenData;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.PoolMarks;
import org.keywell.keypool.store.StoredKey;
import org.keywell.testkit.PostgresForTests;

/** A dump is a copy of the tables; restoring puts it back while no instance runs. */
@Tag("postgresql")
@Timeout(120)
final class TokenMarkTest {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  private final List<String> running = new ArrayList<>();
  private FakeHsm hsm;
  private HikariDataSource dataSource;
  private HikariDataSource owner;

  /** The ids that any run has claimed and not put back: their keys may have signed. */
  private final Set<Long> used = new HashSet<>();

  @BeforeEach
  void open() {
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    dataSource = database.asService().dataSource();
    owner = database.dataSource();
    hsm = new FakeHsm();
  }

  @AfterEach
  void close() {
    hsm.close();
    owner.close();
    dataSource.close();
  }

  /** A run of an instance with a token. */
  private final class Run {
    private final String instance;
    private final TokenMark mark;
    private final JdbcWrappedKeyStore store;
    private long discarded;

    Run(String instance, FakeHsm token) {
      this.instance = instance;
      this.mark =
          new TokenMark(
              "hsm",
              token,
              new PoolMarks(dataSource, instance),
              instance,
              name -> running.contains(name));
      this.store = new JdbcWrappedKeyStore(dataSource, instance, hsm.wrappingKeyId(), mark);
    }

    /** As the service starts, with what the operator accepts. */
    Run start() {
      store.forfeitLeftovers();
      discarded = mark.begin(mark.compare());
      running.add(instance);
      return this;
    }

    List<StoredKey> use(int keys) {
      List<StoredKey> claimed = store.claim(SPEC, keys);
      for (StoredKey key : claimed) {
        assertThat(used.add(key.id())).as("key %d was not claimed before", key.id()).isTrue();
      }
      store.discard(claimed.stream().map(StoredKey::id).toList());
      return claimed;
    }

    void crash() {
      running.remove(instance);
    }

    void stop() {
      mark.end();
      running.remove(instance);
    }
  }

  private Run start(String instance) {
    return new Run(instance, hsm).start();
  }

  private void fill(int keys) {
    JdbcWrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "filler", hsm.wrappingKeyId());
    for (int i = 0; i < keys; i++) {
      var pair = hsm.generateExtractable(SPEC);
      WrappedKey key = hsm.wrap(pair);
      hsm.destroy(pair.privateKey());
      store.add(key);
    }
  }

  private static final List<String> TABLES =
      List.of("pool_key", "claimed_key", "pool_mark", "token_run");

  private void dump() throws SQLException {
    for (String table : TABLES) {
      execute("DROP TABLE IF EXISTS dump_" + table);
      execute("CREATE TABLE dump_" + table + " AS SELECT * FROM " + table);
    }
    execute("DROP TABLE IF EXISTS dump_seq");
    execute("CREATE TABLE dump_seq AS SELECT last_value FROM pool_key_place_seq");
  }

  private void restore() throws SQLException {
    for (String table : TABLES) {
      execute("DELETE FROM " + table);
      execute("INSERT INTO " + table + " SELECT * FROM dump_" + table);
    }
    execute("SELECT setval('pool_key_place_seq', last_value) FROM dump_seq");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = owner.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long stored() throws SQLException {
    try (Connection connection = owner.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM pool_key")) {
      row.next();
      return row.getLong(1);
    }
  }

  private Comparison compared(String instance) {
    return new Run(instance, hsm).mark.compare();
  }

  @Test
  void nothingIsClaimedBeforeTheMarkHasBegun() {
    fill(2);
    assertThat(new Run("a", hsm).store.claim(SPEC, 1)).isEmpty();
  }

  @Test
  void anOrderlyStopLosesNoKey() throws SQLException {
    fill(40);
    Run run = start("a");
    List<StoredKey> claimed = run.store.claim(SPEC, 10);
    run.store.putBack(claimed);
    run.stop();

    assertThat(compared("a").contradiction()).isEmpty();
    Run next = start("a");
    assertThat(next.discarded).isZero();
    assertThat(next.use(50)).hasSize(40);
  }

  /** While the one follows the other, keys are claimed under both. */
  @Test
  void eachWrappingKeyHasAPlaceInTheMark() throws SQLException {
    fill(20);
    hsm.followWrappingKey();
    fill(20);
    String old = hsm.wrappingKeyIds().getFirst();
    Run run = start("a");
    dump();
    assertThat(run.use(5)).hasSize(5);
    List<StoredKey> claimed = under(old, run.mark).claim(SPEC, 7);
    assertThat(claimed).hasSize(7);
    run.crash();
    restore();

    Run next = start("a");

    assertThat(next.discarded).isGreaterThanOrEqualTo(12);
    assertThat(next.use(20)).as("keys that nobody used").isNotEmpty();
    assertThat(under(old, next.mark).claim(SPEC, 20))
        .isNotEmpty()
        .extracting(StoredKey::id)
        .doesNotContainAnyElementsOf(claimed.stream().map(StoredKey::id).toList());
  }

  private JdbcWrappedKeyStore under(String wrappingKeyId, TokenMark mark) {
    return new JdbcWrappedKeyStore(dataSource, "a", wrappingKeyId, mark.under(wrappingKeyId));
  }

  @Test
  void theMarksOfBothPurposesAreApart() throws SQLException {
    fill(20);
    TokenMark managed =
        TokenMark.ofManaged("hsm", hsm, new PoolMarks(dataSource, "a"), "a", name -> false);
    assertThat(managed.begin(managed.compare())).isZero();
    Run signing = start("a");
    signing.use(3);
    signing.stop();

    assertThat(managed.compare().contradiction()).isEmpty();
    managed.end();
    assertThat(managed.compare().contradiction()).isEmpty();
    assertThat(compared("a").contradiction()).isEmpty();
    assertThat(hsm.data("keywell-").stream().map(TokenData::name))
        .containsExactlyInAnyOrder("keywell-mark a", "keywell-managed-mark a");
  }

  @Test
  void aCrashLosesNoKeyOfAShortQueue() throws SQLException {
    fill(40);
    start("a").use(10);
    running.clear();

    Run next = start("a");
    assertThat(next.discarded).isZero();
    assertThat(stored()).isEqualTo(30);
  }

  @Test
  void aCrashLosesAtMostAFiftiethOfALongOne() throws SQLException {
    fill(400);
    start("a").use(5);
    running.clear();

    Run next = start("a");
    assertThat(next.discarded).isEqualTo(3);
    assertThat(stored()).isEqualTo(392);
  }

  @Test
  void aDumpFromBeforeARunContradictsTheToken() throws SQLException {
    fill(20);
    Run first = start("a");
    first.use(1);
    first.stop();
    dump();
    Run second = start("a");
    second.use(5);
    second.stop();
    restore();

    assertThat(compared("a").contradiction())
        .hasValueSatisfying(why -> assertThat(why).contains("device hsm", "EC-P256: 5"));
    Run third = start("a");
    assertThat(third.discarded).isEqualTo(5);
    assertThat(third.use(20)).hasSize(14);
  }

  @Test
  void aDumpOfARunContradictsTheTokenOnceThatHasEndedInOrder() throws SQLException {
    fill(20);
    Run run = start("a");
    run.use(2);
    dump();
    run.use(3);
    run.stop();
    restore();

    assertThat(compared("a").contradiction()).isPresent();
    assertThat(start("a").discarded).isEqualTo(3);
  }

  @Test
  void aDumpOfACrashedRunCostsTheKeysInDoubt() throws SQLException {
    fill(20);
    Run run = start("a");
    run.use(2);
    dump();
    run.use(3);
    run.crash();
    restore();

    assertThat(compared("a").contradiction()).as("as any crash").isEmpty();
    Run next = start("a");
    assertThat(next.discarded).isEqualTo(3);
    assertThat(next.use(20)).hasSize(15);
  }

  @Test
  void keysThatEnteredAfterTheDumpWereNotUsedWithItsPlaces() throws SQLException {
    fill(5);
    dump();
    Run run = start("a");
    run.use(5);
    fill(5);
    run.use(5);
    run.stop();
    restore();

    assertThat(start("a").discarded).isEqualTo(5);
    // They draw places beyond the mark, so that a crash does not cost them.
    fill(3);
    running.clear();
    assertThat(start("a").discarded).isZero();
    assertThat(stored()).isEqualTo(3);
  }

  @Test
  void theMarkOfAnotherInstanceOnTheTokenCounts() throws SQLException {
    fill(20);
    Run one = start("a");
    Run other = start("b");
    dump();
    other.use(4);
    one.use(1);
    one.crash();
    other.crash();
    restore();

    assertThat(start("a").discarded).isEqualTo(5);
    assertThat(hsm.data("")).extracting(TokenData::name).containsExactly("keywell-mark a");
  }

  @Test
  void aRunningInstanceOnTheTokenIsLeftAlone() throws SQLException {
    fill(400);
    start("b").use(5);
    assertThat(start("a").discarded).isZero();
    assertThat(hsm.data("")).hasSize(2);
  }

  /** Its lock was lost with a connection for a moment. */
  @Test
  void anInstanceThatWasTakenForGoneContradictsNothing() throws SQLException {
    fill(400);
    Run gone = start("b");
    gone.use(5);
    running.remove("b");
    start("a");
    running.add("b");
    gone.use(5);
    gone.crash();

    assertThat(compared("b").contradiction()).isEmpty();
    assertThat(start("b").discarded).as("what it was about to claim").isPositive();
  }

  @Test
  void aTokenIsRaisedToWhatAnotherOneHasClaimed() throws SQLException {
    fill(20);
    FakeHsm second = hsm.restarted();
    Run one = start("a");
    Run other = new Run("b", second).start();
    dump();
    other.use(7);
    one.mark.refresh();
    one.crash();
    other.crash();
    restore();

    assertThat(start("a").discarded).isEqualTo(7);
    second.close();
  }

  @Test
  void aTokenWithoutItsMarkContradictsTheDatabase() throws SQLException {
    fill(3);
    start("a").stop();
    start("a").stop();
    hsm.removeData("keywell-mark a");

    assertThat(compared("a").contradiction()).isPresent();
    assertThat(start("a").discarded).isEqualTo(3);
    fill(3);
    assertThat(compared("a").contradiction()).isEmpty();
  }

  @Test
  void aRestoredTokenBesideTheDatabaseOfTodayIsNoticed() throws SQLException {
    fill(20);
    Run first = start("a");
    first.use(1);
    first.stop();
    List<TokenData> before = hsm.data("");
    Run second = start("a");
    second.use(5);
    second.stop();
    before.forEach(hsm::keepData);

    assertThat(compared("a").contradiction()).isEmpty();
    // All keys used since are on record, and gone.
    assertThat(start("a").use(20)).hasSize(14);
  }

  @Test
  void aNewDatabaseMayUseAnOldToken() throws SQLException {
    fill(5);
    start("a").use(5);
    running.clear();
    for (String table : TABLES) {
      execute("TRUNCATE " + table);
    }
    execute("SELECT setval('pool_key_place_seq', 1, false)");
    used.clear();

    assertThat(compared("a").contradiction()).isEmpty();
    Run run = start("a");
    fill(5);
    assertThat(run.use(5)).hasSize(5);
  }

  @Test
  void aMarkThatACrashCutShortIsIgnored() throws SQLException {
    fill(5);
    Run run = start("a");
    run.use(2);
    hsm.keepData(
        new TokenData("keywell-mark b", "keywell-mark 1\t3f".getBytes(StandardCharsets.UTF_8)));
    run.stop();
    assertThat(start("a").use(3)).hasSize(3);
  }

  @Test
  void withoutTheTokenNothingIsClaimed() throws SQLException {
    fill(5);
    Run run = start("a");
    hsm.faults().failNext(Operation.KEEP_DATA, HsmException.Reason.FAILED, 1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> run.store.claim(SPEC, 2));
    assertThat(stored()).isEqualTo(5);
    assertThat(run.use(2)).hasSize(2);
  }

  /** Any sequence of runs, crashes, dumps and restores, of two instances on one token. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noKeyIsClaimedTwice(long seed) throws SQLException {
    Random random = new Random(seed);
    fill(60);
    List<Run> runs = new ArrayList<>();
    boolean dumped = false;
    for (int step = 0; step < 60; step++) {
      switch (random.nextInt(8)) {
        case 0 -> {
          String name = random.nextBoolean() ? "a" : "b";
          if (!running.contains(name)) {
            runs.add(start(name));
          }
        }
        case 1 -> {
          if (!runs.isEmpty()) {
            Run run = runs.remove(random.nextInt(runs.size()));
            if (random.nextBoolean()) {
              run.stop();
            } else {
              run.crash();
            }
          }
        }
        case 2 -> {
          dump();
          dumped = true;
        }
        case 3 -> {
          if (dumped) {
            runs.forEach(random.nextBoolean() ? Run::crash : Run::stop);
            runs.clear();
            restore();
          }
        }
        case 4 -> fill(random.nextInt(4));
        default -> {
          for (Run run : runs) {
            List<StoredKey> claimed = run.store.claim(SPEC, 1 + random.nextInt(3));
            claimed.forEach(
                key -> assertThat(used.contains(key.id())).as("key %d", key.id()).isFalse());
            if (random.nextInt(3) == 0) {
              run.store.putBack(claimed);
            } else {
              claimed.forEach(key -> used.add(key.id()));
              run.store.discard(claimed.stream().map(StoredKey::id).toList());
            }
          }
        }
      }
    }
  }
}
