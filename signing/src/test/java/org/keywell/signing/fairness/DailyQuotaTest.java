package org.keywell.signing.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.QuotaReservations;

@Timeout(20)
final class DailyQuotaTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Caller CALLER = Limited.quota("caller", 1_000);

  /** What the database holds for a day. */
  private static final class Table implements QuotaReservations {
    private final Map<String, Long> reserved = new HashMap<>();
    private boolean away;
    private int asked;

    private static String key(String caller, LocalDate day) {
      return caller + " " + day;
    }

    @Override
    public synchronized long reserve(String caller, LocalDate day, long quota, long wanted)
        throws SQLException {
      asked++;
      if (away) {
        throw new SQLException("away");
      }
      long before = reserved.getOrDefault(key(caller, day), 0L);
      long granted = Math.clamp(quota - before, 0, wanted);
      reserved.put(key(caller, day), before + granted);
      return granted;
    }

    @Override
    public synchronized void release(String caller, LocalDate day, long unused) {
      reserved.merge(key(caller, day), -unused, Long::sum);
    }

    @Override
    public void forgetBefore(LocalDate day) {}

    synchronized void setAway(boolean isAway) {
      away = isAway;
    }

    synchronized int asked() {
      return asked;
    }

    synchronized long reserved(String caller, String day) {
      return reserved.getOrDefault(caller + " " + day, 0L);
    }
  }

  private final Table table = new Table();
  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
  private final DailyQuota quota = new DailyQuota(table, now::get);

  @AfterEach
  void end() {
    quota.end(Duration.ofSeconds(10));
  }

  private int takeAll(Caller caller) {
    return takeAll(quota, caller);
  }

  private static int takeAll(DailyQuota quota, Caller caller) {
    int taken = 0;
    while (quota.take(caller) instanceof QuotaDecision.Granted) {
      taken++;
    }
    return taken;
  }

  @Test
  void withoutAQuotaTheDatabaseIsNotAsked() {
    QuotaDecision decision = quota.take(Caller.onLoopback());

    assertThat(decision).isInstanceOf(QuotaDecision.Granted.class);
    assertThat(table.asked()).isZero();
    assertThat(quota.remembered()).isZero();
  }

  @Test
  void admitsTheQuotaAndNoMoreUntilMidnightInUtc() {
    quota.start();

    assertThat(takeAll(CALLER)).isEqualTo(1_000);
    assertThat(quota.take(CALLER)).isEqualTo(new QuotaDecision.Used(Duration.ofHours(12)));
    assertThat(table.asked()).as("not for each request").isLessThan(300);

    now.set(Instant.parse("2026-03-01T23:59:59.500Z"));
    assertThat(quota.take(CALLER)).isEqualTo(new QuotaDecision.Used(Duration.ofMillis(500)));
    now.set(Instant.parse("2026-03-02T00:00:00Z"));
    assertThat(takeAll(CALLER)).isEqualTo(1_000);
  }

  @Test
  void aSmallQuotaIsExactToo() {
    quota.start();

    assertThat(takeAll(Limited.quota("small", 3))).isEqualTo(3);
    assertThat(takeAll(Limited.quota("least", 1))).isEqualTo(1);
  }

  @Test
  void instancesTogetherAdmitTheQuota() {
    DailyQuota other = new DailyQuota(table, now::get);
    quota.start();
    other.start();

    int taken = 0;
    for (int i = 0; i < 700; i++) {
      taken += quota.take(CALLER) instanceof QuotaDecision.Granted ? 1 : 0;
      taken += other.take(CALLER) instanceof QuotaDecision.Granted ? 1 : 0;
    }
    other.end(Duration.ofSeconds(10));
    taken += takeAll(CALLER);
    now.set(NOON.plusSeconds(30));
    taken += takeAll(CALLER);

    assertThat(taken).as("what the other gave back included").isEqualTo(1_000);
  }

  @Test
  void aCrashLosesABlockAtTheMost() {
    DailyQuota crashed = new DailyQuota(table, now::get);
    crashed.start();
    for (int i = 0; i < 25; i++) {
      assertThat(crashed.take(CALLER)).isInstanceOf(QuotaDecision.Granted.class);
    }

    quota.start();
    assertThat(takeAll(CALLER)).isBetween(1_000 - 25 - 10, 1_000 - 25);
    crashed.end(Duration.ofSeconds(10));
  }

  @Test
  void whatIsGivenBackIsNotUsed() {
    quota.start();
    for (int i = 0; i < 5_000; i++) {
      assertThat(quota.take(CALLER))
          .isInstanceOfSatisfying(QuotaDecision.Granted.class, QuotaDecision.Granted::giveBack);
    }

    assertThat(takeAll(CALLER)).isEqualTo(1_000);
  }

  /** A refill may be used up by others before its end is seen; then another one follows. */
  @Test
  void aFloodIsNotRefusedWhileItsQuotaLasts() throws Exception {
    quota.start();
    try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<QuotaDecision>> takers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        takers.add(requests.submit(() -> takeUntilRefused(CALLER)));
      }
      for (Future<QuotaDecision> refused : takers) {
        assertThat(refused.get()).isInstanceOf(QuotaDecision.Used.class);
      }
    }
    assertThat(table.reserved("caller", "2026-03-01")).isEqualTo(1_000);
  }

  private QuotaDecision takeUntilRefused(Caller caller) {
    QuotaDecision decision = quota.take(caller);
    while (decision instanceof QuotaDecision.Granted) {
      decision = quota.take(caller);
    }
    return decision;
  }

  @Test
  void whatIsGivenBackAfterMidnightIsNotTheNextDays() {
    quota.start();
    Caller small = Limited.quota("small", 2);
    QuotaDecision yesterday = quota.take(small);
    now.set(NOON.plus(Duration.ofDays(1)));
    assertThat(takeAll(small)).isEqualTo(2);

    assertThat(yesterday)
        .isInstanceOfSatisfying(QuotaDecision.Granted.class, QuotaDecision.Granted::giveBack);

    assertThat(takeAll(small)).isZero();
  }

  @Test
  void whileTheDatabaseIsAwayWhatIsReservedIsUsedAndThenNothing() {
    // The test is its thread.
    DailyQuota quota = new DailyQuota(table, now::get, Duration.ZERO);
    assertThat(quota.take(Limited.quota("unknown", 1_000)))
        .as("nobody reserves, and it does not wait for ever")
        .isEqualTo(new QuotaDecision.Unknown());
    quota.reserveAll();
    assertThat(quota.take(CALLER)).isEqualTo(new QuotaDecision.Unknown());
    quota.reserveAll();
    table.setAway(true);

    int taken = 0;
    while (quota.take(CALLER) instanceof QuotaDecision.Granted) {
      taken++;
      if (taken == 7) {
        assertThatThrownBy(quota::reserveAll).isInstanceOf(DatabaseException.class);
      }
    }
    assertThat(taken).isEqualTo(10);
    assertThat(quota.take(CALLER)).isEqualTo(new QuotaDecision.Unknown());

    table.setAway(false);
    quota.reserveAll();
    assertThat(quota.take(CALLER)).isInstanceOf(QuotaDecision.Granted.class);
  }

  @Test
  void anOrderlyStopGivesBackWhatIsLeft() {
    quota.start();
    assertThat(quota.take(CALLER)).isInstanceOf(QuotaDecision.Granted.class);
    assertThat(table.reserved("caller", "2026-03-01")).isGreaterThan(1);

    quota.end(Duration.ofSeconds(10));

    assertThat(table.reserved("caller", "2026-03-01")).isEqualTo(1);
  }

  @Test
  void anotherQuotaCountsAtOnce() {
    quota.start();
    assertThat(takeAll(Limited.quota("caller", 20))).isEqualTo(20);

    assertThat(takeAll(Limited.quota("caller", 30))).isEqualTo(10);
    assertThat(takeAll(Limited.quota("caller", 5))).isZero();
  }

  @Test
  void callersOfYesterdayAreForgotten() {
    quota.start();
    for (int i = 0; i < 50; i++) {
      assertThat(quota.take(Limited.quota("caller-" + i, 10)))
          .isInstanceOf(QuotaDecision.Granted.class);
    }
    now.set(NOON.plus(Duration.ofDays(1)));

    assertThat(quota.take(CALLER)).isInstanceOf(QuotaDecision.Granted.class);

    assertThat(quota.remembered()).isEqualTo(1);
  }
}
