package org.keywell.acceptance.tamper;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;
import org.keywell.tlog.RightEdge;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TreeHash;

/** The log's tables as their superuser alters them: the only place here that knows them. */
final class LogTables implements AutoCloseable {

  private static final int HEIGHT = 8;

  private final HikariDataSource dataSource;
  private final Sql sql;

  private LogTables(HikariDataSource dataSource) {
    this.dataSource = dataSource;
    this.sql = new Sql(dataSource);
  }

  static LogTables of(Database database) {
    return new LogTables(database.dataSource());
  }

  @Override
  public void close() {
    dataSource.close();
  }

  long size() throws SQLException {
    return sql.count("SELECT size FROM log_tree");
  }

  private List<byte[]> entries() throws SQLException {
    return new ArrayList<>(sql.bytes("SELECT entry FROM log_entry ORDER BY index"));
  }

  /** Without its hash. */
  void change(long index) throws SQLException {
    sql.update(
        """
        UPDATE log_entry
        SET entry = convert_to(replace(convert_from(entry, 'UTF8'), 'signed', 'failed'), 'UTF8')
        WHERE index = %d
        """
            .formatted(index));
  }

  /** With its hash, and not those above. */
  void changeWithHash(long index) throws SQLException {
    change(index);
    sql.update(
        "UPDATE log_entry SET leaf = sha256('\\x00'::bytea || entry) WHERE index = " + index);
  }

  void delete(long index) throws SQLException {
    sql.update("DELETE FROM log_entry WHERE index = " + index);
  }

  /** The last entry makes room, so that there are as many as before. */
  void insert(long index) throws SQLException {
    long size = size();
    sql.update("UPDATE log_entry SET index = -index - 1 WHERE index >= " + index);
    sql.update("UPDATE log_entry SET index = -index WHERE index < 0");
    sql.update("DELETE FROM log_entry WHERE index >= " + size);
    sql.update(
        """
        INSERT INTO log_entry (index, leaf, entry)
        SELECT %d, sha256('\\x00'::bytea || entry), entry
        FROM (SELECT convert_to('{"type":"request","v":1}', 'UTF8') AS entry) AS made
        """
            .formatted(index));
  }

  void swap(long one, long other) throws SQLException {
    sql.update("UPDATE log_entry SET index = -1 WHERE index = " + one);
    sql.update("UPDATE log_entry SET index = %d WHERE index = %d".formatted(one, other));
    sql.update("UPDATE log_entry SET index = %d WHERE index = -1".formatted(other));
  }

  /** Leaves a tree of this size, as it once was. */
  void cut(long size) throws SQLException {
    rebuild(entries().subList(0, Math.toIntExact(size)), size);
  }

  /** Replaces all entries from this one on by others, in a tree that is consistent. */
  void replaceFrom(long index) throws SQLException {
    List<byte[]> entries = entries();
    for (int i = Math.toIntExact(index); i < entries.size(); i++) {
      entries.set(
          i, "{\"number\":%d,\"type\":\"own\"}".formatted(i).getBytes(StandardCharsets.UTF_8));
    }
    rebuild(entries, index);
  }

  /** In one transaction, so that no sequencer sees it half done. */
  private void rebuild(List<byte[]> entries, long unchanged) throws SQLException {
    List<TreeHash> leaves = entries.stream().map(TreeHash::ofLeaf).toList();
    RightEdge.Grown grown = RightEdge.empty().append(leaves);
    try (Connection connection = dataSource.getConnection();
        Statement delete = connection.createStatement();
        PreparedStatement add =
            connection.prepareStatement(
                "INSERT INTO log_entry (index, leaf, entry) VALUES (?, ?, ?)");
        PreparedStatement node =
            connection.prepareStatement(
                "INSERT INTO log_node (level, index, hash) VALUES (?, ?, ?)");
        PreparedStatement tree =
            connection.prepareStatement(
                "UPDATE log_tree SET size = ?, root = ?, checkpoint = NULL,"
                    + " checkpoint_size = NULL")) {
      connection.setAutoCommit(false);
      int _ = delete.executeUpdate("DELETE FROM log_entry WHERE index >= " + unchanged);
      int _ = delete.executeUpdate("DELETE FROM log_node");
      for (int i = Math.toIntExact(unchanged); i < entries.size(); i++) {
        add.setLong(1, i);
        add.setBytes(2, leaves.get(i).bytes());
        add.setBytes(3, entries.get(i));
        add.addBatch();
      }
      int[] _ = add.executeBatch();
      for (Map.Entry<TileId, byte[]> tile : grown.tiles().entrySet()) {
        addNodes(node, tile.getKey(), tile.getValue());
      }
      int[] _ = node.executeBatch();
      tree.setLong(1, entries.size());
      tree.setBytes(2, grown.edge().root().bytes());
      int _ = tree.executeUpdate();
      connection.commit();
    }
  }

  private static void addNodes(PreparedStatement add, TileId tile, byte[] hashes)
      throws SQLException {
    Integer level = tile.level();
    if (level == null || level == 0) {
      return;
    }
    for (int i = 0; i < tile.width(); i++) {
      byte[] hash = new byte[TreeHash.LENGTH];
      System.arraycopy(hashes, i * hash.length, hash, 0, hash.length);
      add.setInt(1, level);
      add.setLong(2, tile.index() * (1L << HEIGHT) + i);
      add.setBytes(3, hash);
      add.addBatch();
    }
  }
}
