package org.keywell.signing.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.tlog.TreeHash;

/**
 * Writes entries in the transactions of what they tell of; they have no place in the log until the
 * {@link Sequencer} gives them one. What moves keys, or closes the requests of an ended run, is
 * logged by its own SQL statement. Thread-safe.
 */
public final class LogWriter {

  private static final String ADD = "INSERT INTO log_pending (entry, request_id) VALUES (?, ?)";

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
   * @return their hashes in the tree, for {@link #committed}
   */
  public List<TreeHash> add(Connection connection, Collection<LogEntry> entries)
      throws SQLException {
    if (!isOn() || entries.isEmpty()) {
      return List.of();
    }
    List<TreeHash> leaves = new ArrayList<>(entries.size());
    try (PreparedStatement add = connection.prepareStatement(ADD)) {
      for (LogEntry entry : entries) {
        byte[] bytes = entry.bytes();
        leaves.add(TreeHash.ofLeaf(bytes));
        add.setBytes(1, bytes);
        add.setObject(2, entry.requestId());
        add.addBatch();
      }
      var _ = add.executeBatch();
    }
    return leaves;
  }

  /** To be called once entries are committed: from now on it is noticed if the tree lacks one. */
  public void committed(List<TreeHash> leaves) {
    if (committed != null && !leaves.isEmpty()) {
      committed.add(leaves);
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
