package org.keywell.service.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.util.Set;

/**
 * Replaces a pool's connections once a statement is refused by what a session keeps from its start.
 * PostgreSQL reads the settings of a role and of a database when a session starts: resetting {@code
 * default_transaction_read_only} does not reach the connections that were opened while it was on.
 * All of the pool's connections go at once, since each of the others would refuse one more
 * statement. Those in use are closed when they are returned. Thread-safe.
 */
final class SessionSettings implements SQLExceptionOverride {

  /** {@code read_only_sql_transaction}, and what a statement or lock timeout ends with. */
  private static final Set<String> REFUSED_BY_SETTING = Set.of("25006", "57014", "55P03");

  private final HikariDataSource pool;

  SessionSettings(HikariDataSource pool) {
    this.pool = pool;
  }

  @java.lang.Override
  public Override adjudicate(SQLException e) {
    String state = e.getSQLState();
    if (state == null || !REFUSED_BY_SETTING.contains(state)) {
      return Override.CONTINUE_EVICT;
    }
    pool.getHikariPoolMXBean().softEvictConnections();
    return Override.MUST_EVICT;
  }
}
