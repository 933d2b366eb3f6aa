package org.keywell.signing.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.keywell.signing.database.DatabaseException;
import org.keywell.tlog.EntryBundle;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TileSource;
import org.keywell.tlog.TreeHash;

/**
 * The log's tiles and bundles, put together from its rows; one that the tree has no hashes for is
 * missing. Thread-safe. {@link #read} throws {@link DatabaseException} if the database fails.
 */
final class StoredTiles implements TileSource {

  private static final String LEAVES =
      "SELECT leaf FROM log_entry WHERE index >= ? AND index < ? ORDER BY index";

  private static final String NODES =
      "SELECT hash FROM log_node WHERE index >= ? AND index < ? AND level = ? ORDER BY index";

  private static final String ENTRIES =
      "SELECT entry FROM log_entry WHERE index >= ? AND index < ? ORDER BY index";

  private final LogDatabase database;

  StoredTiles(LogDatabase database) {
    this.database = database;
  }

  @Override
  public Optional<byte[]> read(TileId tile) {
    return database.with("read", connection -> read(connection, tile));
  }

  private static Optional<byte[]> read(Connection connection, TileId tile) throws SQLException {
    long first = tile.index() * TileId.FULL;
    long end = first + tile.width();
    Integer level = tile.level();
    List<byte[]> rows;
    if (level == null) {
      rows = rows(connection, ENTRIES, first, end, 0);
    } else {
      rows = rows(connection, level == 0 ? LEAVES : NODES, first, end, level);
    }
    if (rows.size() < tile.width()) {
      return Optional.empty();
    }
    return Optional.of(level == null ? EntryBundle.encode(rows) : joined(rows));
  }

  private static byte[] joined(List<byte[]> hashes) {
    byte[] all = new byte[hashes.size() * TreeHash.LENGTH];
    for (int i = 0; i < hashes.size(); i++) {
      System.arraycopy(hashes.get(i), 0, all, i * TreeHash.LENGTH, TreeHash.LENGTH);
    }
    return all;
  }

  /** Returns the hashes of entries from one index up to, and not including, another. */
  static List<TreeHash> leaves(Connection connection, long first, long end) throws SQLException {
    return rows(connection, LEAVES, first, end, 0).stream().map(TreeHash::of).toList();
  }

  private static List<byte[]> rows(
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
}
