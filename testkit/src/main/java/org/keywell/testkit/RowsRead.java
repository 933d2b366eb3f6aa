package org.keywell.testkit;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * What is read while PostgreSQL takes tables for nearly empty: in the first minutes of a month, in
 * a new database, and after a table was emptied. Autovacuum looks once, too early, and not again.
 */
public final class RowsRead {

  private static final String UNOBSERVED =
      """
      DO $$
      DECLARE name text;
      BEGIN
        FOR name IN SELECT oid::regclass FROM pg_class
          WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
        LOOP
          EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
        END LOOP;
      END $$
      """;

  private final Sql sql;

  /** Leaves the tables to themselves: from now on, autovacuum does not look at them. */
  public RowsRead(DataSource superuser) throws SQLException {
    this.sql = new Sql(superuser);
    int _ = sql.update(UNOBSERVED);
  }

  /** Has PostgreSQL look at all tables as they are, and counts from here. */
  public void begin() throws SQLException {
    int _ = sql.update("VACUUM ANALYZE");
    String _ = sql.text("SELECT pg_stat_reset()::text");
  }

  /**
   * Returns the tables of which more was read, with how many rows each request has read.
   *
   * @param sessions the {@code application_name} of those that are closed: they report at their end
   *     at the latest
   * @param rows that a request may read of one table
   */
  public List<String> above(int rows, int requests, String sessions) throws Exception {
    Await.until(
        "sessions have ended",
        () ->
            sql.count(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND application_name = '%s'".formatted(sessions))
                == 0);
    // Partitions count as one. Entries of an index that lead to no row any more count, too.
    return sql.texts(
        """
        SELECT regexp_replace(t.relname, '_\\d{4}_\\d{2}$', '') || ': '
          || round((sum(t.seq_tup_read) + coalesce(sum(i.read), 0)) / %d, 1)
        FROM pg_stat_user_tables t
        LEFT JOIN (
          SELECT relid, sum(idx_tup_read) AS read FROM pg_stat_user_indexes GROUP BY 1) i USING (relid)
        GROUP BY regexp_replace(t.relname, '_\\d{4}_\\d{2}$', '')
        HAVING sum(t.seq_tup_read) + coalesce(sum(i.read), 0) > %d
        ORDER BY 1
        """
            .formatted(requests, (long) rows * requests));
  }
}
