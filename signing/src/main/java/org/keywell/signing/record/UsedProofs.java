package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.database.DatabaseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes tickets that would be refused as expired anyway. Each instance does so for all, on a
 * separate thread, a thousand at a time.
 */
public final class UsedProofs {

  private static final Logger log = LoggerFactory.getLogger(UsedProofs.class);

  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final int MOST_AT_A_TIME = 1000;

  // One hour later: an instance whose clock lags the server's may still accept them.
  private static final String DELETE =
      """
      DELETE FROM used_proof WHERE proof_sha256 = ANY (ARRAY(
        SELECT proof_sha256 FROM used_proof WHERE usable_until < now() - interval '1 hour'
        ORDER BY usable_until LIMIT ? FOR UPDATE SKIP LOCKED))
      """;

  private final DataSource dataSource;
  private final Worker worker = new Worker("keywell-used-proofs", this::sweep);

  public UsedProofs(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  public void start() {
    worker.start();
  }

  /**
   * Ends the thread.
   *
   * @param limit how long to wait for a running statement
   */
  public void end(Duration limit) {
    worker.stop();
    boolean _ = worker.join(limit);
  }

  /** Returns how long to pause; zero while there may be more. */
  Duration sweep() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setInt(1, MOST_AT_A_TIME);
      int gone = delete.executeUpdate();
      log.debug("{} tickets are forgotten", gone);
      return gone < MOST_AT_A_TIME ? EVERY : Duration.ZERO;
    } catch (SQLException e) {
      throw new DatabaseException("used tickets cannot be forgotten: " + e.getMessage(), e);
    }
  }
}
