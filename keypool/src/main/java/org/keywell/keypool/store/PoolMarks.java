package org.keywell.keypool.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;

/**
 * What the database knows of the marks that tokens keep: how far keys may have been claimed, and
 * which run of an instance last wrote its mark. A token always has what is here, or one step less;
 * so a token with a mark that is not here shows that the database is older.
 *
 * <p>Thread-safe. Each method throws {@link StoreException} if the database fails.
 */
public final class PoolMarks {

  /** At most so many keys that nobody has claimed are within a mark. */
  private static final int MAX_AHEAD = 500;

  /** The largest part of a pool that is within a mark and not claimed. */
  private static final int PART_AHEAD = 50;

  private static final int DISCARDED_AT_ONCE = 1_000;

  private static final String RUNS =
      "SELECT instance, run, previous, writes FROM token_run WHERE token = ?";

  private static final String BEGIN =
      """
      INSERT INTO token_run (instance, token, run, previous, writes) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (instance, token) DO UPDATE
        SET run = excluded.run, previous = excluded.previous, writes = excluded.writes
      """;

  private static final String FORGET = "DELETE FROM token_run WHERE instance = ? AND token = ?";

  private static final String REACH =
      """
      WITH stored AS (
        SELECT count(*) AS keys FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ?),
      next AS (
        SELECT place FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ? ORDER BY place
        LIMIT (SELECT greatest(?, least(?, keys / ?)) FROM stored))
      INSERT INTO pool_mark AS m (key_spec, wrapping_key_id, place)
      SELECT ?, ?, coalesce(max(place), 0) FROM next
      ON CONFLICT (key_spec, wrapping_key_id)
        DO UPDATE SET place = greatest(m.place, excluded.place)
      RETURNING place
      """;

  private static final String REACHED =
      "SELECT key_spec, place FROM pool_mark WHERE wrapping_key_id = ?";

  private static final String COUNT =
      "SELECT count(*) FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ? AND place <= ?";

  private static final String ADVANCE = "SELECT advance_places(?)";

  private final DataSource dataSource;
  private final Statements statements;
  private final String instance;

  /**
   * Two runs of an instance.
   *
   * @param previous null: there was none
   * @param writes how often the mark had been written before the last of them
   */
  public record Run(UUID run, @Nullable UUID previous, long writes) {

    /** Whether the token's mark may be of this run, or not yet be. */
    public boolean fits(UUID marked) {
      return marked.equals(run) || marked.equals(previous);
    }
  }

  /**
   * @param dataSource hands out connections in auto-commit mode
   * @param instance of this process
   */
  public PoolMarks(DataSource dataSource, String instance) {
    this.dataSource = dataSource;
    this.statements = new Statements(dataSource);
    this.instance = instance;
  }

  /** Returns the last run of each instance that ever wrote a mark into the token. */
  public Map<String, Run> runs(String token) {
    return statements.execute(
        "read the runs",
        RUNS,
        statement -> {
          statement.setString(1, token);
          Map<String, Run> runs = new HashMap<>();
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              runs.put(
                  row.getString(1),
                  new Run(
                      row.getObject(2, UUID.class), row.getObject(3, UUID.class), row.getLong(4)));
            }
          }
          return runs;
        });
  }

  /** Notes what this instance is about to write into the token. */
  public void begin(String token, Run run) {
    int _ =
        statements.execute(
            "note a run",
            BEGIN,
            statement -> {
              statement.setString(1, instance);
              statement.setString(2, token);
              statement.setObject(3, run.run());
              statement.setObject(4, run.previous());
              statement.setLong(5, run.writes());
              return statement.executeUpdate();
            });
  }

  /** Forgets an instance whose mark is no longer in the token. */
  public void forget(String vanished, String token) {
    int _ =
        statements.execute(
            "forget a run",
            FORGET,
            statement -> {
              statement.setString(1, vanished);
              statement.setString(2, token);
              return statement.executeUpdate();
            });
  }

  /**
   * Lets all instances claim further: the keys that are wanted now, and a few more, so that a token
   * is not written to at each claim.
   *
   * @return the last place that may be claimed from now on
   */
  public long reach(String keySpec, String wrappingKeyId, int wanted) {
    return statements.execute(
        "extend a claim's reach",
        REACH,
        statement -> {
          bind(statement, keySpec, wrappingKeyId, 1);
          bind(statement, keySpec, wrappingKeyId, 3);
          statement.setInt(5, wanted);
          statement.setInt(6, MAX_AHEAD);
          statement.setInt(7, PART_AHEAD);
          bind(statement, keySpec, wrappingKeyId, 8);
          return Statements.singleLong(statement);
        });
  }

  /** Returns the last place that anybody may claim, by kind of key. */
  public Map<String, Long> reached(String wrappingKeyId) {
    return statements.execute(
        "read how far claims reach",
        REACHED,
        statement -> {
          statement.setString(1, wrappingKeyId);
          Map<String, Long> places = new HashMap<>();
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              places.put(row.getString(1), row.getLong(2));
            }
          }
          return places;
        });
  }

  /** Returns how many keys are stored up to a place. */
  public long count(String keySpec, String wrappingKeyId, long upTo) {
    return statements.execute(
        "count keys",
        COUNT,
        statement -> {
          bind(statement, keySpec, wrappingKeyId, 1);
          statement.setLong(3, upTo);
          return Statements.singleLong(statement);
        });
  }

  /**
   * Claims and discards stored keys that may have been used already. Those that another instance is
   * claiming at this moment are left to it.
   *
   * @return how many
   */
  public long discard(KeySpec spec, String wrappingKeyId, long upTo) {
    WrappedKeyStore store =
        new JdbcWrappedKeyStore(dataSource, instance, wrappingKeyId, new FixedClaimLimit(upTo));
    long discarded = 0;
    for (List<StoredKey> keys = store.claim(spec, DISCARDED_AT_ONCE);
        !keys.isEmpty();
        keys = store.claim(spec, DISCARDED_AT_ONCE)) {
      store.discard(keys.stream().map(StoredKey::id).toList());
      discarded += keys.size();
    }
    return discarded;
  }

  /** As {@link #discard}, for all that is stored under a wrapping key. */
  public long discardAll(String wrappingKeyId) {
    long discarded = 0;
    for (KeySpec spec : KeySpec.values()) {
      discarded += discard(spec, wrappingKeyId, Long.MAX_VALUE);
    }
    return discarded;
  }

  /** Gives no key this place, or a lower one, from now on. */
  public void advanceBeyond(long place) {
    boolean _ =
        statements.execute(
            "advance the places",
            ADVANCE,
            statement -> {
              statement.setLong(1, place);
              return statement.execute();
            });
  }

  private static void bind(
      PreparedStatement statement, String keySpec, String wrappingKeyId, int first)
      throws SQLException {
    statement.setString(first, keySpec);
    statement.setString(first + 1, wrappingKeyId);
  }
}
