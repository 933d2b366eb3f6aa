package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.testkit.Await;
import org.keywell.testkit.Sql;

/** What the database says after the chaos, and whether the callers were told the same. */
final class Findings {

  private final Sql sql;
  private final KeyLedger ledger;

  Findings(Site site) {
    this.sql = site.sql();
    this.ledger = site.ledger();
  }

  /** No key came or went but by a statement that counted it. */
  void requireBalanced() {
    assertThat(ledger.balances())
        .allSatisfy(balance -> assertThat(balance.difference()).as("%s", balance).isZero());
  }

  /** No key has two records, or is in the store although it is on record as used. */
  void requireNoneTwice() throws SQLException {
    assertThat(
            sql.count(
                """
                SELECT count(*) - count(DISTINCT public_key_sha256) FROM sign_request
                WHERE public_key_sha256 IS NOT NULL
                """))
        .as("public keys twice on record")
        .isZero();
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM pool_key p
                WHERE EXISTS (SELECT FROM sign_request s WHERE s.key_id = p.id)
                """))
        .as("used keys that are stored again")
        .isZero();
  }

  /** Nothing is in flight any more, and each answer is what is on record. */
  void requireAllSettled(Map<UUID, HttpApi.Answer> answers) throws Exception {
    Await.until(
        "nothing is in flight",
        () -> sql.count("SELECT count(*) FROM sign_request WHERE status = 'received'") == 0);
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).as("keys on the ledger").isZero();
    requireNoneTwice();
    requireBalanced();
    assertThat(ledger.balances()).as("balances").isNotEmpty();
    Map<String, String> records = new HashMap<>();
    for (String line :
        sql.texts(
            """
            SELECT concat_ws(' ', request_id, status, encode(signature, 'hex')) FROM sign_request
            """)) {
      records.put(line.substring(0, 36), line.substring(37));
    }
    Set<String> keys = new HashSet<>();
    for (Map.Entry<UUID, HttpApi.Answer> answer : answers.entrySet()) {
      String record = records.get(answer.getKey().toString());
      if (answer.getValue().status() == 200) {
        SignedAnswer signed = SignedAnswer.of(answer.getValue());
        assertThat(record)
            .as("the record of what was answered as signed")
            .isEqualTo("signed " + HexFormat.of().formatHex(signed.signature()));
        assertThat(keys.add(Base64.getEncoder().encodeToString(signed.publicKey().getEncoded())))
            .as("a key of its own for each answer")
            .isTrue();
      } else {
        assertThat(record).as(answer.getValue().problem()).isIn("failed", "expired");
      }
    }
  }

  /** For docs/RELIABILITY.md. */
  void report(int kills, long seed, List<FleetCaller> callers) throws SQLException {
    System.out.printf(
        "chaos: %d kills (seed %d): %d requests, %d signed, %d failed, %d expired, %d repeated;"
            + " keys twice 0, answered but unrecorded 0, in flight for ever 0, the ledger balanced"
            + " after each%n",
        kills,
        seed,
        sql.count("SELECT count(*) FROM sign_request"),
        sql.count("SELECT count(*) FROM sign_request WHERE status = 'signed'"),
        sql.count("SELECT count(*) FROM sign_request WHERE status = 'failed'"),
        sql.count("SELECT count(*) FROM sign_request WHERE status = 'expired'"),
        callers.stream().mapToInt(FleetCaller::repeated).sum());
  }
}
