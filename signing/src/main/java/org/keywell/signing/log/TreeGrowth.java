package org.keywell.signing.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.keywell.tlog.RightEdge;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TreeHash;

/** One transaction that locks the tree and gives entries their places. Not thread-safe. */
final class TreeGrowth {

  // SKIP LOCKED: who has the lock takes what is there.
  private static final String LOCK = "SELECT size, root FROM log_tree FOR UPDATE SKIP LOCKED";

  // A process that is frozen in the transaction loses the lock, and what it was about to commit.
  private static final String LET_GO = "SET LOCAL idle_in_transaction_session_timeout = '5s'";

  // Entries move within the database, which hashes them: only their hashes come here. If one is not
  // that of its entry, its own instance and everyone who verifies the log notice. An array, as a
  // join may read the whole queue. No value in an entry has an unescaped quotation mark.
  private static final String PLACE =
      """
      WITH taken AS (
        DELETE FROM log_pending
        WHERE seq = ANY (ARRAY(SELECT seq FROM log_pending ORDER BY seq LIMIT ?))
        RETURNING seq, entry, request_id),
      placed AS (
        INSERT INTO log_entry (index, leaf, entry, request_id)
        SELECT ? + row_number() OVER (ORDER BY seq) - 1, sha256('\\x00'::bytea || entry), entry,
          request_id
        FROM taken
        RETURNING index, leaf, %s AS lasting)
      SELECT leaf, lasting FROM placed ORDER BY index
      """
          .formatted(
              Stream.of(
                      "\"type\":\"revocation\"",
                      "\"operation\":\"Revoke\"",
                      "\"operation\":\"Destroy\"",
                      "\"command\":\"xks disable\"",
                      "\"command\":\"xks restrict\"",
                      "\"command\":\"xks destroy\"")
                  .map("position('%s'::bytea IN entry) > 0"::formatted)
                  .collect(Collectors.joining(" OR ")));

  private static final String ADD_NODE =
      "INSERT INTO log_node (level, index, hash) VALUES (?, ?, ?)";

  private static final String GROW = "UPDATE log_tree SET size = ?, root = ?";

  private static final int HEIGHT = 8;

  private final Connection connection;

  TreeGrowth(Connection connection) {
    this.connection = connection;
  }

  /**
   * A tree that grew.
   *
   * @param leaves that the known edge had not
   * @param mayBeMore whether as many were taken as may be at once
   * @param lasting whether one of those taken tells of what a restore must not undo, such as a
   *     revocation
   */
  record Grown(RightEdge edge, List<TreeHash> leaves, boolean mayBeMore, boolean lasting) {}

  private record Root(long size, TreeHash hash) {}

  private record Placed(List<TreeHash> leaves, boolean lasting) {}

  /**
   * Gives entries their places, oldest first.
   *
   * @param known the edge that the caller has
   * @param max how many entries
   * @return the edge after that; empty if another one has the lock
   * @throws LogDamagedException if the stored tree does not continue the known one
   */
  Optional<Grown> grow(RightEdge known, int max) throws SQLException {
    Optional<Root> locked = lock();
    if (locked.isEmpty()) {
      return Optional.empty();
    }
    long size = locked.get().size();
    if (size < known.size()) {
      throw new LogDamagedException(
          "it has %s entries, and had %s before".formatted(size, known.size()));
    }
    List<TreeHash> leaves = new ArrayList<>(StoredTiles.leaves(connection, known.size(), size));
    RightEdge edge = leaves.isEmpty() ? known : known.append(leaves).edge();
    if (edge.size() != size || !edge.root().equals(locked.get().hash())) {
      throw new LogDamagedException(
          "its %s entries do not have the root %s that is stored"
              .formatted(size, locked.get().hash()));
    }
    Placed placed = place(size, max);
    List<TreeHash> added = placed.leaves();
    if (added.isEmpty()) {
      return Optional.of(new Grown(edge, leaves, false, false));
    }
    RightEdge.Grown grown = edge.append(added);
    addNodes(size, grown.tiles());
    try (PreparedStatement grow = connection.prepareStatement(GROW)) {
      grow.setLong(1, grown.edge().size());
      grow.setBytes(2, grown.edge().root().bytes());
      int _ = grow.executeUpdate();
    }
    leaves.addAll(added);
    return Optional.of(new Grown(grown.edge(), leaves, added.size() == max, placed.lasting()));
  }

  private Optional<Root> lock() throws SQLException {
    try (PreparedStatement letGo = connection.prepareStatement(LET_GO);
        PreparedStatement lock = connection.prepareStatement(LOCK)) {
      boolean _ = letGo.execute();
      try (ResultSet row = lock.executeQuery()) {
        return row.next()
            ? Optional.of(new Root(row.getLong(1), TreeHash.of(row.getBytes(2))))
            : Optional.empty();
      }
    }
  }

  private Placed place(long size, int max) throws SQLException {
    List<TreeHash> leaves = new ArrayList<>();
    boolean lasting = false;
    try (PreparedStatement place = connection.prepareStatement(PLACE)) {
      place.setInt(1, max);
      place.setLong(2, size);
      try (ResultSet row = place.executeQuery()) {
        while (row.next()) {
          leaves.add(TreeHash.of(row.getBytes(1)));
          lasting |= row.getBoolean(2);
        }
      }
    }
    return new Placed(leaves, lasting);
  }

  /** Above the leaves, a tile's hashes that the tree did not have when it had this size. */
  private void addNodes(long size, Map<TileId, byte[]> tiles) throws SQLException {
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
}
