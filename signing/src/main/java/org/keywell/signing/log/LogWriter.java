package org.keywell.signing.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.tlog.TreeHash;

/**
 * Writes entries in the transactions of what they tell of; they have no place in the log until the
 * {@link Sequencer} gives them one. What moves keys, or closes the requests of an ended run, is
 * logged by its own SQL statement. Thread-safe.
 */
public final class LogWriter {

  // One statement for all: one for each costs PostgreSQL up to twice the processor time.
  private static final String ADD =
      """
      INSERT INTO log_pending (entry, request_id)
      SELECT entry, request_id FROM unnest(?, ?) WITH ORDINALITY AS added (entry, request_id, place)
      ORDER BY place
      """;

  /** Null: there is no log. */
  private final @Nullable CommittedLeaves committed;

  private LogWriter(@Nullable CommittedLeaves committed) {
    this.committed = committed;
  }

  /** Returns one that writes nothing: the database keeps no log. */
  public static LogWriter off() {
    return new LogWriter(null);
  }

  public static LogWriter on(LongSupplier nanoClock) {
    return new LogWriter(new CommittedLeaves(nanoClock));
  }

  public boolean isOn() {
    return committed != null;
  }

  /**
   * Writes entries, in their order, in the connection's transaction.
   *
   * @return their hashes in the tree, for {@link #committed} or {@link #rolledBack}
   */
  public List<TreeHash> add(Connection connection, Collection<LogEntry> entries)
      throws SQLException {
    if (committed == null || entries.isEmpty()) {
      return List.of();
    }
    byte[][] bytes = entries.stream().map(LogEntry::bytes).toArray(byte[][]::new);
    List<TreeHash> leaves = Arrays.stream(bytes).map(TreeHash::ofLeaf).toList();
    UUID[] requests = entries.stream().map(LogEntry::requestId).toArray(UUID[]::new);
    committed.written(leaves);
    try (PreparedStatement add = connection.prepareStatement(ADD)) {
      add.setArray(1, connection.createArrayOf("bytea", bytes));
      add.setArray(2, connection.createArrayOf("uuid", requests));
      int _ = add.executeUpdate();
      return leaves;
    } catch (SQLException e) {
      committed.remove(leaves);
      throw e;
    }
  }

  /** To be called once entries are committed: from now on it is noticed if the tree lacks one. */
  public void committed(List<TreeHash> leaves) {
    if (committed != null && !leaves.isEmpty()) {
      committed.committed(leaves);
    }
  }

  /** To be called if the transaction of entries was rolled back, or may have been. */
  public void rolledBack(List<TreeHash> leaves) {
    if (committed != null) {
      committed.remove(leaves);
    }
  }

  CommittedLeaves leaves() {
    return committed == null ? new CommittedLeaves(System::nanoTime) : committed;
  }

  /** Writes one entry in a transaction of its own. */
  void tell(Connection connection, LogEntry entry) throws SQLException {
    committed(add(connection, List.of(entry)));
  }
}
