package org.keywell.signing.log;

import java.sql.ResultSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.database.DatabaseException;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.RightEdge;
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

  private static final String PENDING = "SELECT entry FROM log_pending";

  private static final String HEAD =
      "SELECT size, root, coalesce(checkpoint_size, -1), checkpoint FROM log_tree";

  private static final String SIGNED =
      """
      UPDATE log_tree SET checkpoint_size = ?, checkpoint = ?
      WHERE coalesce(checkpoint_size, -1) < ? AND size >= ?
      """;

  // OFFSET 0: a log that is taken for nearly empty would be read by its order, from the first
  // entry.
  private static final String OF_REQUEST =
      """
      SELECT index, entry
      FROM (SELECT index, entry FROM log_entry WHERE request_id = ? OFFSET 0) AS of_request
      WHERE index < (SELECT checkpoint_size FROM log_tree)
      ORDER BY index LIMIT 1
      """;

  private static final String HOLDS = "SELECT FROM log_entry WHERE index = ? AND entry = ?";

  private final LogDatabase database;

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

  LogTables(DataSource dataSource) {
    this.database = new LogDatabase(dataSource);
  }

  /** Returns the origin of the log that the database keeps; empty: it keeps none. */
  Optional<String> origin() {
    return database.texts(ORIGIN).stream().findFirst();
  }

  /** Whether the tree has this entry at this place. */
  boolean holds(long index, byte[] entry) {
    return database.with(
        "read",
        HOLDS,
        find -> {
          find.setLong(1, index);
          find.setBytes(2, entry);
          try (ResultSet row = find.executeQuery()) {
            return row.next();
          }
        });
  }

  /** Makes the database keep a log, unless it does already. */
  void begin(String origin) {
    int _ =
        database.with(
            "begun",
            BEGIN,
            begin -> {
              begin.setString(1, origin);
              begin.setBytes(2, TreeHash.EMPTY_TREE.bytes());
              return begin.executeUpdate();
            });
  }

  void addKey(String verifierKey) {
    int _ =
        database.with(
            "told of its key",
            ADD_KEY,
            add -> {
              add.setString(1, verifierKey);
              return add.executeUpdate();
            });
  }

  /** Returns the keys that have ever signed its checkpoints, oldest first. */
  List<String> keys() {
    return database.texts(KEYS);
  }

  /** Writes one entry in a transaction of its own. */
  void tell(LogWriter writer, LogEntry entry) {
    boolean _ =
        database.with(
            "told",
            connection -> {
              writer.tell(connection, entry);
              return true;
            });
  }

  /**
   * Gives entries their places, as {@link TreeGrowth#grow} does, in one transaction that locks the
   * tree.
   */
  Optional<TreeGrowth.Grown> grow(RightEdge known, int max) {
    return database.inTransaction(
        "extended", connection -> new TreeGrowth(connection).grow(known, max));
  }

  /** Returns the hashes of entries that wait for their places. */
  Set<TreeHash> pending() {
    return database.with(
        "read",
        PENDING,
        read -> {
          Set<TreeHash> pending = new HashSet<>();
          try (ResultSet row = read.executeQuery()) {
            while (row.next()) {
              pending.add(TreeHash.ofLeaf(row.getBytes(1)));
            }
          }
          return pending;
        });
  }

  Head head() {
    return database.with(
        "read",
        HEAD,
        head -> {
          try (ResultSet row = head.executeQuery()) {
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
        database.with(
            "signed",
            SIGNED,
            keep -> {
              keep.setLong(1, size);
              keep.setBytes(2, checkpoint);
              keep.setLong(3, size);
              keep.setLong(4, size);
              return keep.executeUpdate();
            });
  }

  /** Returns the entry about a request's end; empty if no checkpoint has it yet. */
  Optional<Placed> ofRequest(UUID requestId) {
    return database.with(
        "read",
        OF_REQUEST,
        find -> {
          find.setObject(1, requestId);
          try (ResultSet row = find.executeQuery()) {
            return row.next()
                ? Optional.of(new Placed(row.getLong(1), row.getBytes(2)))
                : Optional.empty();
          }
        });
  }

  /** Returns the log's tiles and bundles; one that the tree has no hashes for is missing. */
  TileSource tiles() {
    return new StoredTiles(database);
  }
}
