package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Which keys the database relies on, to be looked for in tokens. Each method throws {@link
 * DatabaseException} if the database fails.
 */
public final class ExpectedKeys {

  private static final String CAS = "SELECT certificates[1] FROM ca_chain";

  private static final String EXTERNAL =
      """
      SELECT name, token_id FROM xks_key WHERE state <> 'destroyed'
      ORDER BY created_at DESC, name LIMIT 1000
      """;

  // All of them would take too long; who lost the key has lost that of the first it finds.
  private static final String MANAGED =
      """
      SELECT DISTINCT wrapping_key_id FROM (
        SELECT wrapping_key_id FROM managed_object WHERE wrapping_key_id IS NOT NULL LIMIT 1000
      ) AS sample ORDER BY 1
      """;

  private static final String CHECKPOINT =
      "SELECT checkpoint FROM log_tree WHERE checkpoint IS NOT NULL";

  private final DataSource dataSource;

  /** A key of the external key store, under its id in tokens. */
  public record External(String name, byte[] id) {}

  private interface Read<T> {
    T from(ResultSet row) throws SQLException;
  }

  public ExpectedKeys(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Returns the certificates of the CAs that ever certified a key, in DER. */
  public List<byte[]> issuingCas() {
    return read(CAS, row -> row.getBytes(1));
  }

  /** Returns keys of the external key store that are not destroyed: the newest, 1,000 at most. */
  public List<External> external() {
    return read(EXTERNAL, row -> new External(row.getString(1), row.getBytes(2)));
  }

  /** Returns the ids of wrapping keys that some objects of KMIP's clients are under. */
  public List<String> managedWrappingKeyIds() {
    return read(MANAGED, row -> row.getString(1));
  }

  /** Returns the latest checkpoint of the log, a signed note; empty: nothing was signed. */
  public Optional<byte[]> checkpoint() {
    return read(CHECKPOINT, row -> row.getBytes(1)).stream().findFirst();
  }

  private <T> List<T> read(String sql, Read<T> read) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(sql);
        ResultSet row = select.executeQuery()) {
      List<T> found = new ArrayList<>();
      while (row.next()) {
        found.add(read.from(row));
      }
      return found;
    } catch (SQLException e) {
      throw new DatabaseException("the expected keys cannot be read: " + e.getMessage(), e);
    }
  }
}
