package org.keywell.signing.log;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.database.DatabaseException;
import org.keywell.tlog.EntryBundle;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.RightEdge;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TileSource;
import org.keywell.tlog.TreeHash;

/**
 * The log's tables. Entries and hashes are only added; tiles are put together from them as they are
 * asked for. Thread-safe. Each method throws {@link DatabaseException} if the database fails.
 */
final class LogTables {

  private static final String BEGIN =
      "INSERT INTO log_tree (origin, size, root) VALUES (?, 0, ?) ON CONFLICT DO NOTHING";

  private static final String ORIGIN = "SELECT origin FROM log_tree";

  private static final String ADD_KEY =
      "INSERT INTO log_key (verifier_key) VALUES (?) ON CONFLICT DO NOTHING";

  private static final String KEYS =
      "SELECT verifier_key FROM log_key ORDER BY since, verifier_key";

  // SKIP LOCKED: who has the lock takes what is there.
  private static final String LOCK = "SELECT size, root FROM log_tree FOR UPDATE SKIP LOCKED";

  // A process that is frozen in the transaction loses the lock, and what it was about to commit.
  private static final String LET_GO = "SET LOCAL idle_in_transaction_session_timeout = '5s'";

  private static final String TAKE =
      """
      DELETE FROM log_pending
      WHERE seq IN (SELECT seq FROM log_pending ORDER BY seq LIMIT ?)
      RETURNING seq, entry, request_id
      """;

  private static final String PENDING = "SELECT entry FROM log_pending";

  private static final String ADD_ENTRY =
      "INSERT INTO log_entry (index, leaf, entry, request_id) VALUES (?, ?, ?, ?)";

  private static final String ADD_NODE =
      "INSERT INTO log_node (level, index, hash) VALUES (?, ?, ?)";

  private static final String GROW = "UPDATE log_tree SET size = ?, root = ?";

  private static final String LEAVES =
      "SELECT leaf FROM log_entry WHERE index >= ? AND index < ? ORDER BY index";

  private static final String NODES =
      "SELECT hash FROM log_node WHERE index >= ? AND index < ? AND level = ? ORDER BY index";

  private static final String ENTRIES =
      "SELECT entry FROM log_entry WHERE index >= ? AND index < ? ORDER BY index";

  private static final String HEAD =
      "SELECT size, root, coalesce(checkpoint_size, -1), checkpoint FROM log_tree";

  private static final String SIGNED =
      """
      UPDATE log_tree SET checkpoint_size = ?, checkpoint = ?
      WHERE coalesce(checkpoint_size, -1) < ? AND size >= ?
      """;

  private static final String OF_REQUEST =
      """
      SELECT index, entry FROM log_entry
      WHERE request_id = ? AND index < (SELECT checkpoint_size FROM log_tree)
      ORDER BY index LIMIT 1
      """;

  private static final int HEIGHT = 8;

  private final DataSource dataSource;

  /**
   * The tree as it is committed.
   *
   * @param checkpoint the note of the largest tree that was signed; null: none was
   */
  record Head(long size, TreeHash root, long checkpointSize, byte @Nullable [] checkpoint) {

    boolean isSigned() {
      return checkpointSize == size;
    }
  }

  /** An entry with its place. */
  record Placed(long index, byte[] entry) {}

  private record Pending(long seq, byte[] entry, @Nullable UUID requestId) {}

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  LogTables(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  private <T> T with(String what, Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      return work.on(connection);
    } catch (SQLException e) {
      SQLException cause = cause(e);
      throw new DatabaseException("the log cannot be " + what + ": " + cause.getMessage(), cause);
    }
  }

  /** The driver quotes what a failed batch was to write; the server's own message does not. */
  private static SQLException cause(SQLException failure) {
    SQLException next = failure.getNextException();
    return failure instanceof BatchUpdateException && next != null ? next : failure;
  }

  /** Returns the origin of the log that the database keeps; empty: it keeps none. */
  Optional<String> origin() {
    return with(
        "read",
        connection -> {
          List<String> origins = texts(connection, ORIGIN);
          return origins.stream().findFirst();
        });
  }

  /** Makes the database keep a log, unless it does already. */
  void begin(String origin) {
    int _ =
        with(
            "begun",
            connection -> {
              try (PreparedStatement begin = connection.prepareStatement(BEGIN)) {
                begin.setString(1, origin);
                begin.setBytes(2, TreeHash.EMPTY_TREE.bytes());
                return begin.executeUpdate();
              }
            });
  }

  void addKey(String verifierKey) {
    int _ =
        with(
            "told of its key",
            connection -> {
              try (PreparedStatement add = connection.prepareStatement(ADD_KEY)) {
                add.setString(1, verifierKey);
                return add.executeUpdate();
              }
            });
  }

  /** Returns the keys that have ever signed its checkpoints, oldest first. */
  List<String> keys() {
    return with("read", connection -> texts(connection, KEYS));
  }

  /** Writes one entry in a transaction of its own. */
  void tell(LogWriter writer, LogEntry entry) {
    boolean _ =
        with(
            "told",
            connection -> {
              writer.tell(connection, entry);
              return true;
            });
  }

  /**
   * Gives entries their places, oldest first, in one transaction that locks the tree.
   *
   * @param known the edge that the caller has
   * @param max how many entries
   * @return the edge after that; empty if another one has the lock
   * @throws LogDamagedException if the stored tree does not continue the known one
   */
  Optional<Grown> grow(RightEdge known, int max) {
    return with(
        "extended",
        connection -> {
          connection.setAutoCommit(false);
          try {
            Optional<Grown> grown = grow(connection, known, max);
            connection.commit();
            return grown;
          } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
          } finally {
            connection.setAutoCommit(true);
          }
        });
  }

  /**
   * A tree that grew.
   *
   * @param leaves that the known edge had not
   * @param mayBeMore whether as many were taken as may be at once
   */
  record Grown(RightEdge edge, List<TreeHash> leaves, boolean mayBeMore) {}

  private static Optional<Grown> grow(Connection connection, RightEdge known, int max)
      throws SQLException {
    long size;
    TreeHash root;
    try (PreparedStatement letGo = connection.prepareStatement(LET_GO);
        PreparedStatement lock = connection.prepareStatement(LOCK)) {
      boolean _ = letGo.execute();
      try (ResultSet row = lock.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        size = row.getLong(1);
        root = TreeHash.of(row.getBytes(2));
      }
    }
    if (size < known.size()) {
      throw new LogDamagedException(
          "it has %d entries, and had %d before".formatted(size, known.size()));
    }
    List<TreeHash> leaves = new ArrayList<>(hashes(connection, LEAVES, known.size(), size, 0));
    RightEdge edge = leaves.isEmpty() ? known : known.append(leaves).edge();
    if (edge.size() != size || !edge.root().equals(root)) {
      throw new LogDamagedException(
          "its %d entries do not have the root %s that is stored".formatted(size, root));
    }
    List<Pending> batch = take(connection, max);
    if (batch.isEmpty()) {
      return Optional.of(new Grown(edge, leaves, false));
    }
    List<TreeHash> added = batch.stream().map(each -> TreeHash.ofLeaf(each.entry())).toList();
    RightEdge.Grown grown = edge.append(added);
    place(connection, size, batch, added);
    addNodes(connection, size, grown.tiles());
    try (PreparedStatement grow = connection.prepareStatement(GROW)) {
      grow.setLong(1, grown.edge().size());
      grow.setBytes(2, grown.edge().root().bytes());
      int _ = grow.executeUpdate();
    }
    leaves.addAll(added);
    return Optional.of(new Grown(grown.edge(), leaves, batch.size() == max));
  }

  private static List<Pending> take(Connection connection, int max) throws SQLException {
    List<Pending> batch = new ArrayList<>();
    try (PreparedStatement take = connection.prepareStatement(TAKE)) {
      take.setInt(1, max);
      try (ResultSet row = take.executeQuery()) {
        while (row.next()) {
          batch.add(new Pending(row.getLong(1), row.getBytes(2), row.getObject(3, UUID.class)));
        }
      }
    }
    batch.sort(Comparator.comparingLong(Pending::seq));
    return batch;
  }

  private static void place(
      Connection connection, long size, List<Pending> batch, List<TreeHash> leaves)
      throws SQLException {
    try (PreparedStatement add = connection.prepareStatement(ADD_ENTRY)) {
      for (int i = 0; i < batch.size(); i++) {
        add.setLong(1, size + i);
        add.setBytes(2, leaves.get(i).bytes());
        add.setBytes(3, batch.get(i).entry());
        add.setObject(4, batch.get(i).requestId());
        add.addBatch();
      }
      var _ = add.executeBatch();
    }
  }

  /** Above the leaves, a tile's hashes that the tree did not have when it had this size. */
  private static void addNodes(Connection connection, long size, Map<TileId, byte[]> tiles)
      throws SQLException {
    try (PreparedStatement add = connection.prepareStatement(ADD_NODE)) {
      for (Map.Entry<TileId, byte[]> tile : tiles.entrySet()) {
        Integer level = tile.getKey().level();
        if (level == null || level == 0) {
          continue;
        }
        long first = tile.getKey().index() * TileId.FULL;
        for (int i = 0; i < tile.getKey().width(); i++) {
          if (first + i >= size >>> (HEIGHT * level)) {
            byte[] hash = new byte[TreeHash.LENGTH];
            System.arraycopy(tile.getValue(), i * hash.length, hash, 0, hash.length);
            add.setInt(1, level);
            add.setLong(2, first + i);
            add.setBytes(3, hash);
            add.addBatch();
          }
        }
      }
      var _ = add.executeBatch();
    }
  }

  /** Returns the hashes of entries that wait for their places. */
  Set<TreeHash> pending() {
    return with(
        "read",
        connection -> {
          Set<TreeHash> pending = new HashSet<>();
          try (PreparedStatement read = connection.prepareStatement(PENDING);
              ResultSet row = read.executeQuery()) {
            while (row.next()) {
              pending.add(TreeHash.ofLeaf(row.getBytes(1)));
            }
          }
          return pending;
        });
  }

  Head head() {
    return with(
        "read",
        connection -> {
          try (PreparedStatement head = connection.prepareStatement(HEAD);
              ResultSet row = head.executeQuery()) {
            if (!row.next()) {
              throw new LogDamagedException("its tree is gone");
            }
            return new Head(
                row.getLong(1), TreeHash.of(row.getBytes(2)), row.getLong(3), row.getBytes(4));
          }
        });
  }

  /** Returns the root that the tree had at a size; empty if hashes are missing. */
  Optional<TreeHash> rootAt(long size) {
    try {
      return Optional.of(RightEdge.read(size, tiles()).root());
    } catch (LogFormatException e) {
      return Optional.empty();
    }
  }

  /** Keeps the checkpoint of a tree that is committed, unless there is one of a larger tree. */
  void keep(long size, byte[] checkpoint) {
    int _ =
        with(
            "signed",
            connection -> {
              try (PreparedStatement keep = connection.prepareStatement(SIGNED)) {
                keep.setLong(1, size);
                keep.setBytes(2, checkpoint);
                keep.setLong(3, size);
                keep.setLong(4, size);
                return keep.executeUpdate();
              }
            });
  }

  /** Returns the entry about a request's end; empty if no checkpoint has it yet. */
  Optional<Placed> ofRequest(UUID requestId) {
    return with(
        "read",
        connection -> {
          try (PreparedStatement find = connection.prepareStatement(OF_REQUEST)) {
            find.setObject(1, requestId);
            try (ResultSet row = find.executeQuery()) {
              return row.next()
                  ? Optional.of(new Placed(row.getLong(1), row.getBytes(2)))
                  : Optional.empty();
            }
          }
        });
  }

  /** Returns the log's tiles and bundles; one that the tree has no hashes for is missing. */
  TileSource tiles() {
    return tile -> with("read", connection -> tile(connection, tile));
  }

  private static Optional<byte[]> tile(Connection connection, TileId tile) throws SQLException {
    long first = tile.index() * TileId.FULL;
    long end = first + tile.width();
    if (tile.level() == null) {
      List<byte[]> entries = bytes(connection, ENTRIES, first, end, 0);
      return entries.size() == tile.width()
          ? Optional.of(EntryBundle.encode(entries))
          : Optional.empty();
    }
    String sql = tile.level() == 0 ? LEAVES : NODES;
    List<byte[]> hashes = bytes(connection, sql, first, end, tile.level());
    if (hashes.size() < tile.width()) {
      return Optional.empty();
    }
    byte[] all = new byte[hashes.size() * TreeHash.LENGTH];
    for (int i = 0; i < hashes.size(); i++) {
      System.arraycopy(hashes.get(i), 0, all, i * TreeHash.LENGTH, TreeHash.LENGTH);
    }
    return Optional.of(all);
  }

  private static List<TreeHash> hashes(
      Connection connection, String sql, long first, long end, int level) throws SQLException {
    return bytes(connection, sql, first, end, level).stream().map(TreeHash::of).toList();
  }

  private static List<byte[]> bytes(
      Connection connection, String sql, long first, long end, int level) throws SQLException {
    List<byte[]> values = new ArrayList<>();
    if (first == end) {
      return values;
    }
    try (PreparedStatement read = connection.prepareStatement(sql)) {
      read.setLong(1, first);
      read.setLong(2, end);
      if (level > 0) {
        read.setInt(3, level);
      }
      try (ResultSet row = read.executeQuery()) {
        while (row.next()) {
          values.add(row.getBytes(1));
        }
      }
    }
    return values;
  }

  private static List<String> texts(Connection connection, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (PreparedStatement read = connection.prepareStatement(sql);
        ResultSet row = read.executeQuery()) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }
}
