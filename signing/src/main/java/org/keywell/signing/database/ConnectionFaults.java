package org.keywell.signing.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.LongSupplier;
import org.keywell.keypool.log.LogPace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of a pool's connections, at most one line a minute: the pool itself would print a
 * stack trace for each. The code that asked for the connection reports what the failure means for
 * requests and keys.
 *
 * <p>Replaces all of the pool's connections once a statement is refused because of a setting that a
 * session keeps from its start. PostgreSQL reads the settings of a role and of a database when a
 * session starts: resetting {@code default_transaction_read_only} does not affect connections
 * opened while it was on, and each of them would refuse another statement. Those in use are closed
 * when they are returned. Thread-safe.
 */
final class ConnectionFaults implements SQLExceptionOverride {

  private static final Logger log = LoggerFactory.getLogger(ConnectionFaults.class);

  /** {@code read_only_sql_transaction}, and the states for a statement or lock timeout. */
  private static final Set<String> REFUSED_BY_SETTING = Set.of("25006", "57014", "55P03");

  private final HikariDataSource pool;
  private final LogPace pace;

  /**
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  ConnectionFaults(HikariDataSource pool, LongSupplier nanoClock) {
    this.pool = pool;
    this.pace = new LogPace(nanoClock);
  }

  @java.lang.Override
  public Override adjudicate(SQLException e) {
    String state = e.getSQLState();
    if (state == null) {
      return Override.CONTINUE_EVICT;
    }
    if (REFUSED_BY_SETTING.contains(state)) {
      tell(state, e);
      pool.getHikariPoolMXBean().softEvictConnections();
      return Override.MUST_EVICT;
    }
    if (state.startsWith("08") || state.startsWith("57P")) {
      tell(state, e);
    }
    return Override.CONTINUE_EVICT;
  }

  private void tell(String state, SQLException e) {
    if (pace.due(1) > 0) {
      log.warn(
          "connections of the pool {} fail and are replaced: SQL state {}: {}",
          pool.getPoolName(),
          state,
          e.getMessage());
    }
  }
}
