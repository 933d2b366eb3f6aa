package org.keywell.loadgen.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PgbenchResultTest {
  private static final String OUTPUT =
      """
      pgbench (15.18 (Debian 15.18-0+deb12u1))
      starting vacuum...end.
      transaction type: <builtin: TPC-B (sort of)>
      duration: 1 s
      number of transactions actually processed: 812
      number of failed transactions: 3 (0.369%)
      latency average = 61.233 ms
      initial connection time = 341.659 ms
      tps = 815.301204 (without initial connection time)
      statement latencies in milliseconds and failures:
               0.006           0  \\set aid random(1, 100000 * :scale)
               0.930           0  BEGIN;
              36.920           3  UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;
      """;

  @Test
  void everythingIsRead() throws Exception {
    PgbenchResult result = PgbenchResult.read(OUTPUT);
    assertThat(result.transactions()).isEqualTo(812);
    assertThat(result.failed()).isEqualTo(3);
    assertThat(result.perSecond()).isEqualTo(815.301204);
    assertThat(result.latencyMillis()).isEqualTo(61.233);
    assertThat(result.connectMillis()).isEqualTo(341.659);
    assertThat(result.statements())
        .extracting(PgbenchResult.Statement::text)
        .containsExactly(
            "\\set aid random(1, 100000 * :scale)",
            "BEGIN;",
            "UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;");
    assertThat(result.millis("BEGIN;")).isEqualTo(0.93);
    assertThat(result.millis("END;")).isNaN();
  }

  /** As it prints them before version 15. */
  @Test
  void failuresOfAStatementMayBeMissing() throws Exception {
    assertThat(PgbenchResult.read(OUTPUT.replaceAll("  +[03]  ", "  ")).millis("BEGIN;"))
        .isEqualTo(0.93);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "number of transactions",
        "number of failed",
        "latency average",
        "initial connection time",
        "tps",
        "statement latencies"
      })
  void whatIsMissingIsNotMadeUp(String part) {
    assertThatIOException()
        .isThrownBy(() -> PgbenchResult.read(OUTPUT.replace(part, "something else")))
        .withMessageStartingWith("pgbench has ");
  }
}
