package org.keywell.keypool.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.keywell.testkit.Sql;

/** What the log says about keys, beside their account. */
final class LoggedMoves {

  private static final String MOVES =
      """
      SELECT concat_ws(' ', entry ->> 'instance', entry ->> 'keySpec', entry ->> 'wrappingKey',
        entry ->> 'move', sum(jsonb_array_length(entry -> 'keys')))
      FROM (SELECT convert_from(entry, 'UTF8')::jsonb AS entry FROM log_pending) AS e
      GROUP BY entry ->> 'instance', entry ->> 'keySpec', entry ->> 'wrappingKey', entry ->> 'move'
      """;

  private static final String LEDGER =
      "SELECT concat_ws(' ', instance, key_spec, wrapping_key_id, move, keys) FROM key_ledger";

  private final Sql sql;

  LoggedMoves(DataSource dataSource) {
    this.sql = new Sql(dataSource);
  }

  /** To be called before the first key moves. */
  void begin() throws SQLException {
    sql.update(
        "INSERT INTO log_tree (origin, size, root) VALUES ('test.example/log', 0, sha256(''))"
            + " ON CONFLICT DO NOTHING");
  }

  /** Each move that the ledger counts is told of, and no other. */
  void assertAreTheLedgers() throws SQLException {
    assertThat(sql.texts(MOVES)).containsExactlyInAnyOrderElementsOf(sql.texts(LEDGER));
  }
}
