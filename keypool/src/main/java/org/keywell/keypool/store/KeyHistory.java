package org.keywell.keypool.store;

import java.sql.ResultSet;
import javax.sql.DataSource;

/**
 * Compares the keys with the records of the requests that used them. Reads the indexes of all
 * records and each stored key: for operators, not for regular checks. Thread-safe.
 */
public final class KeyHistory {

  private static final String RECORDS =
      """
      SELECT
        (SELECT coalesce(sum(keys), 0) FROM key_ledger WHERE move = 'used')::bigint,
        (SELECT count(*) FROM sign_request WHERE key_id IS NOT NULL)
          + (SELECT count(*) FROM sign_request WHERE withheld_key_id IS NOT NULL)
          - (SELECT count(*) FROM sign_request WHERE status = 'open'),
        (SELECT coalesce(sum(records), 0) FROM record_correction)::bigint
      """;

  // UNION: a key may be found in more than one way.
  private static final String STORED_AND_USED =
      """
      SELECT count(*) FROM (
        SELECT k.id FROM pool_key k JOIN used_key u ON u.public_key_sha256 = sha256(k.public_key)
        UNION SELECT k.id FROM pool_key k JOIN used_key u ON u.key_id = k.id) AS used
      """;

  private static final String CLAIMED_AND_USED =
      """
      SELECT count(*) FROM (
        SELECT c.id FROM claimed_key c JOIN used_key u ON u.key_id = c.id
        WHERE NOT EXISTS (
          SELECT FROM sign_request s
          WHERE s.request_id = u.request_id AND s.request_received = u.request_received
            AND s.status = 'open')) AS used
      """;

  private static final String STORED_AND_CLAIMED =
      "SELECT count(*) FROM pool_key JOIN claimed_key USING (id)";

  // AES-KWP is deterministic: the same key gives the same blob. Many hashes spill to disk.
  private static final String COPIES =
      """
      SELECT (SELECT count(*) FROM pool_key) - least(
        (SELECT count(*) FROM (SELECT DISTINCT sha256(public_key) FROM pool_key) AS keys),
        (SELECT count(*) FROM (SELECT DISTINCT sha256(wrapped_private_key) FROM pool_key) AS blobs))
      """;

  private final Statements statements;

  /**
   * @param dataSource hands out connections in auto-commit mode
   */
  public KeyHistory(DataSource dataSource) {
    this.statements = new Statements(dataSource);
  }

  /**
   * Returns the numbers of used keys and of their records.
   *
   * @throws StoreException if the database fails
   */
  public RecordBalance records() {
    return statements.execute(
        "count the records of used keys",
        RECORDS,
        statement -> {
          try (ResultSet row = statement.executeQuery()) {
            row.next();
            return new RecordBalance(row.getLong(1), row.getLong(2), row.getLong(3));
          }
        });
  }

  /**
   * Counts the keys that are where they must not be.
   *
   * @throws StoreException if the database fails
   */
  public MisplacedKeys misplaced() {
    return new MisplacedKeys(
        count(STORED_AND_USED), count(CLAIMED_AND_USED), count(STORED_AND_CLAIMED), count(COPIES));
  }

  private long count(String query) {
    return statements.execute("look for keys in two places", query, Statements::singleLong);
  }
}
