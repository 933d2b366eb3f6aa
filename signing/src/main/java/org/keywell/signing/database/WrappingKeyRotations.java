package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.keywell.signing.database.Rotation.Step;

/**
 * Which wrapping keys follow which, in the database: how the command and the running instances
 * agree. Thread-safe. Each method throws {@link DatabaseException} if the database fails.
 */
public final class WrappingKeyRotations {

  private static final String ALL =
      "SELECT old_id, new_id, step FROM wrapping_key_rotation ORDER BY begun_at, old_id";

  private static final String NOTE =
      """
      INSERT INTO wrapping_key_rotation (old_id, new_id, step) VALUES (?, ?, ?)
      ON CONFLICT (old_id) DO UPDATE
        SET new_id = excluded.new_id, step = excluded.step, changed_at = clock_timestamp()
      """;

  // By kind: the index on pool_key begins with it.
  private static final String KEYS =
      """
      SELECT (
        SELECT count(*) FROM pool_key
        WHERE key_spec IN (SELECT key_spec FROM key_ledger) AND wrapping_key_id = ?),
        (SELECT count(*) FROM claimed_key WHERE wrapping_key_id = ?)
      """;

  private final DataSource dataSource;

  /**
   * The keys under one wrapping key.
   *
   * @param stored in the store
   * @param claimed on their way into an HSM, loaded, or in use
   */
  public record Keys(long stored, long claimed) {
    public boolean isEmpty() {
      return stored == 0 && claimed == 0;
    }
  }

  /**
   * @param dataSource hands out connections in auto-commit mode
   */
  public WrappingKeyRotations(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Returns all that were ever begun, in that order. */
  public List<Rotation> all() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(ALL);
        ResultSet row = select.executeQuery()) {
      List<Rotation> all = new ArrayList<>();
      while (row.next()) {
        all.add(
            new Rotation(
                row.getString(1),
                row.getString(2),
                Step.valueOf(row.getString(3).toUpperCase(Locale.ROOT))));
      }
      return all;
    } catch (SQLException e) {
      throw new DatabaseException("rotations cannot be read: " + e.getMessage(), e);
    }
  }

  /** Begins a rotation, or notes its next step. */
  public void note(Rotation rotation) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement note = connection.prepareStatement(NOTE)) {
      note.setString(1, rotation.oldId());
      note.setString(2, rotation.newId());
      note.setString(3, rotation.step().label());
      note.executeUpdate();
    } catch (SQLException e) {
      throw new DatabaseException("a rotation cannot be noted: " + e.getMessage(), e);
    }
  }

  /** Counts the keys under a wrapping key, of all instances, at one moment. */
  public Keys keys(String wrappingKeyId) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement count = connection.prepareStatement(KEYS)) {
      count.setString(1, wrappingKeyId);
      count.setString(2, wrappingKeyId);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return new Keys(row.getLong(1), row.getLong(2));
      }
    } catch (SQLException e) {
      throw new DatabaseException("keys cannot be counted: " + e.getMessage(), e);
    }
  }
}
