package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.keywell.acceptance.running.Site;
import org.keywell.testkit.Sql;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.RightEdge;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TreeHash;

/** What the log says after all instances have stopped, beside what it tells of. */
final class LogFindings {

  private static final String ORIGIN = "chaos.example/log";

  private static final String ENTRIES =
      "(SELECT index, convert_from(entry, 'UTF8')::jsonb AS e FROM log_entry) AS entries";

  private static final String FORFEITS =
      "(SELECT convert_from(entry, 'UTF8')::jsonb AS f FROM log_entry) AS forfeits";

  private static final String LOGGED_ENDS =
      "SELECT concat_ws(' ', e ->> 'request', e ->> 'status', e ->> 'keyId') FROM "
          + ENTRIES
          + " WHERE e ->> 'type' = 'request'";

  private static final String RECORDED_ENDS =
      """
      SELECT concat_ws(' ', request_id, status, coalesce(key_id, withheld_key_id))
      FROM sign_request WHERE status NOT IN ('received', 'open')
      """;

  /**
   * A request tells that its key was used, unless that was forfeited before; the others that were
   * are told of by themselves.
   */
  private static final String LOGGED_MOVES =
      """
      SELECT concat_ws(' ', spec, move, sum(keys)) FROM (
        SELECT e ->> 'keySpec' AS spec, e ->> 'move' AS move,
          jsonb_array_length(e -> 'keys') AS keys
        FROM %1$s WHERE e ->> 'type' = 'keys'
        UNION ALL
        SELECT e ->> 'keySpec', 'used', 1
        FROM %1$s WHERE e ->> 'type' = 'request' AND e ? 'keyId' AND e ? 'keySpec'
          AND NOT EXISTS (
            SELECT FROM %2$s WHERE f ->> 'move' = 'forfeited' AND (f -> 'keys') @> (e -> 'keyId'))
        ) AS told
      GROUP BY spec, move
      """
          .formatted(ENTRIES, FORFEITS);

  private static final String COUNTED_MOVES =
      "SELECT concat_ws(' ', key_spec, move, sum(keys)) FROM key_ledger GROUP BY key_spec, move";

  private final Sql sql;

  LogFindings(Site site) {
    this.sql = site.sql();
  }

  /** The setting of the instances. */
  static String origin() {
    return ORIGIN;
  }

  /** One tree without a gap, signed as it is, which tells of each end and each move once. */
  void requireComplete() throws SQLException {
    assertThat(sql.count("SELECT count(*) FROM log_pending")).as("waiting").isZero();
    List<TreeHash> leaves =
        sql.bytes("SELECT entry FROM log_entry ORDER BY index").stream()
            .map(TreeHash::ofLeaf)
            .toList();
    assertThat(sql.count("SELECT max(index) + 1 FROM log_entry")).isEqualTo(leaves.size());
    SignedNote note = SignedNote.parse(sql.bytes("SELECT checkpoint FROM log_tree").getFirst());
    List<NoteKey> keys =
        sql.texts("SELECT verifier_key FROM log_key").stream().map(NoteKey::parse).toList();
    assertThat(note.signedBy(keys)).as("signers").isNotEmpty();
    assertThat(Checkpoint.parse(note.text()))
        .isEqualTo(
            new Checkpoint(ORIGIN, leaves.size(), RightEdge.empty().append(leaves).edge().root()));
    assertThat(sql.texts(LOGGED_ENDS))
        .as("ends of requests")
        .containsExactlyInAnyOrderElementsOf(sql.texts(RECORDED_ENDS));
    assertThat(sql.texts(LOGGED_MOVES))
        .as("moves of keys")
        .containsExactlyInAnyOrderElementsOf(sql.texts(COUNTED_MOVES));
  }

  /** For the report. */
  String summary() throws SQLException {
    return "log: %d entries of %d kinds, complete and signed"
        .formatted(
            sql.count("SELECT count(*) FROM log_entry"),
            sql.count("SELECT count(DISTINCT e ->> 'type') FROM " + ENTRIES));
  }
}
