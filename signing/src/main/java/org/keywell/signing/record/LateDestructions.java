package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.sql.DataSource;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that a request's key is gone after all, if the first attempt to destroy it failed or none
 * could be made. Writes separate rows, so that the record of an ended request never changes; its
 * end need not be on record yet.
 *
 * <p>Thread-safe. A separate thread writes, and retries while the database fails.
 */
public final class LateDestructions {

  private static final Logger log = LoggerFactory.getLogger(LateDestructions.class);

  /** Orphans are limited, and no key is used while the database is away. */
  private static final int MAX_WAITING = 10_000;

  private static final int MAX_BATCH = 256;
  private static final Duration UNTIL_WOKEN = Duration.ofMinutes(1);

  private static final String INSERT =
      """
      WITH late AS (
        INSERT INTO late_destruction (request_id, late_return_value, key_gone) VALUES (?, ?, ?)
        ON CONFLICT (request_id) DO NOTHING
        RETURNING request_id, late_return_value, key_gone)
      INSERT INTO log_pending (entry)
      SELECT log_of_late_destruction(request_id, late_return_value, key_gone) FROM late
      WHERE EXISTS (SELECT FROM log_tree)
      """;

  private record Late(UUID requestId, Destruction destruction, Instant at) {}

  private final DataSource dataSource;
  private final InstantSource clock;
  private final BlockingQueue<Late> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
  private final Worker worker = new Worker("keywell-destructions", this::writeAll);

  public LateDestructions(DataSource dataSource, InstantSource clock) {
    this.dataSource = dataSource;
    this.clock = clock;
  }

  public void start() {
    worker.start();
  }

  /**
   * Ends after a last attempt to write what waits; logs what cannot be written.
   *
   * @param limit how long to wait for an attempt in progress
   */
  public void end(Duration limit) {
    worker.stop();
    if (worker.join(limit)) {
      try {
        writeAll();
      } catch (DatabaseException e) {
        log.error("{}", e.getMessage());
      }
    }
    waiting.forEach(LateDestructions::tellThatItIsLost);
  }

  /**
   * Notes that this request's key is gone, as of now. Does not wait for the database.
   *
   * @param destruction the attempt that showed it
   */
  public void add(UUID requestId, Destruction destruction) {
    Late late = new Late(requestId, destruction, clock.instant().truncatedTo(ChronoUnit.MICROS));
    if (waiting.offer(late)) {
      worker.wake();
    } else {
      tellThatItIsLost(late);
    }
  }

  private static void tellThatItIsLost(Late late) {
    log.atError()
        .addKeyValue(SignRequest.ID_IN_LOGS, late.requestId())
        .log(
            "request {}: its key was gone at {}, destroying it returned {}; that is not on record",
            late.requestId(),
            late.at(),
            late.destruction().returnValue());
  }

  private Duration writeAll() {
    while (!waiting.isEmpty()) {
      List<Late> batch = waiting.stream().limit(MAX_BATCH).toList();
      write(batch);
      // Only now: what cannot be written waits for the next attempt.
      batch.forEach(_ -> waiting.remove());
    }
    return UNTIL_WOKEN;
  }

  private void write(List<Late> batch) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (Late late : batch) {
        insert.setObject(1, late.requestId());
        insert.setLong(2, late.destruction().returnValue());
        insert.setObject(3, late.at().atOffset(ZoneOffset.UTC));
        insert.addBatch();
      }
      insert.executeBatch();
    } catch (SQLException e) {
      throw new DatabaseException("later destructions are not on record: " + e.getMessage(), e);
    }
  }
}
