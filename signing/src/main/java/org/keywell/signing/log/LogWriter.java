package org.keywell.signing.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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

  /** Writes entries, in their order, in the connection's transaction. */
  public void add(Connection connection, Collection<LogEntry> entries) throws SQLException {
    if (!isOn() || entries.isEmpty()) {
      return;
    }
    try (PreparedStatement add = connection.prepareStatement(ADD)) {
      for (LogEntry entry : entries) {
        add.setBytes(1, entry.bytes());
        add.setObject(2, entry.requestId());
        add.addBatch();
      }
      var _ = add.executeBatch();
    }
  }

  /** To be called once they are committed: from now on it is noticed if the tree lacks one. */
  public void committed(Collection<LogEntry> entries) {
    if (committed != null && !entries.isEmpty()) {
      committed.add(entries.stream().map(entry -> TreeHash.ofLeaf(entry.bytes())).toList());
    }
  }

  CommittedLeaves leaves() {
    return committed == null ? new CommittedLeaves(System::nanoTime) : committed;
  }

  /** Writes one entry in a transaction of its own. */
  void tell(Connection connection, LogEntry entry) throws SQLException {
    add(connection, List.of(entry));
    committed(List.of(entry));
  }
}
