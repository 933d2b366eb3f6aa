package org.keywell.signing.revocation;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.log.LogEntry;
import org.keywell.signing.log.LogWriter;
import org.keywell.tlog.TreeHash;

/**
 * Certificates that are revoked, and those on record. Thread-safe. Each method throws {@link
 * DatabaseException} if the database fails.
 */
final class RevocationTable {

  private static final String OF_REQUEST =
      """
      SELECT certificate FROM sign_request
      WHERE request_id = ? AND certificate IS NOT NULL AND request_received =
          (SELECT k.request_received FROM known_request k WHERE k.request_id = ?)
      """;

  /** By the time: serial numbers have no index, which each signature would pay for. */
  private static final String OF_SERIAL =
      """
      SELECT certificate FROM sign_request
      WHERE certificate_serial = ? AND request_received >= ? AND certificate IS NOT NULL
      """;

  /** By the time, as serial numbers are. */
  private static final String OF_COMMITMENT =
      """
      SELECT certificate FROM sign_request
      WHERE request_received >= ? AND certificate IS NOT NULL
        AND encode(sha256(signer_salt || convert_to(signer_reference, 'UTF8')), 'hex') = ?
      """;

  private static final String ADD =
      """
      INSERT INTO revoked_certificate (issuer, serial, list, revoked_at, reason, revoked_by)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """;

  /** As what is read with the least work: a list may have 100,000, in whole seconds. */
  private static final String SELECT =
      """
      SELECT serial::text AS digits, floor(date_part('epoch', revoked_at))::bigint, reason
      FROM revoked_certificate
      """;

  private static final String FIND = SELECT + "WHERE issuer = ? AND serial = ?";

  private static final String LIST =
      SELECT + "WHERE issuer = ? AND list = ? ORDER BY revoked_at, serial";

  private final DataSource dataSource;
  private final LogWriter log;

  RevocationTable(DataSource dataSource, LogWriter log) {
    this.dataSource = dataSource;
    this.log = log;
  }

  /** Returns the certificate of a request. */
  Optional<byte[]> certificate(UUID requestId) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(OF_REQUEST)) {
      statement.setObject(1, requestId);
      statement.setObject(2, requestId);
      return first(statement);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * Returns the certificate with a serial number.
   *
   * @param since requests received before are not looked at
   */
  Optional<byte[]> certificate(BigInteger serial, Instant since) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(OF_SERIAL)) {
      statement.setString(1, serial.toString(16));
      statement.setObject(2, since.atOffset(ZoneOffset.UTC));
      return first(statement);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * Returns the certificate of the request with this commitment to its signer.
   *
   * @param commitment as in the log: lower-case hexadecimal digits
   * @param since requests received before are not looked at
   */
  Optional<byte[]> certificate(String commitment, Instant since) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(OF_COMMITMENT)) {
      statement.setObject(1, since.atOffset(ZoneOffset.UTC));
      statement.setString(2, commitment);
      return first(statement);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static Optional<byte[]> first(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
    }
  }

  /**
   * Adds a revocation, with its entry in the log, or does nothing if the certificate was revoked
   * before.
   *
   * @return the revocation that stands
   */
  Revocation add(CrlShard shard, Revocation revocation, String by, LogEntry entry) {
    List<TreeHash> leaves = List.of();
    boolean committed = false;
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        if (insert(connection, shard, revocation, by)) {
          leaves = log.add(connection, List.of(entry));
        }
        Revocation stands = stands(connection, shard, revocation.serial());
        connection.commit();
        committed = true;
        log.committed(leaves);
        return stands;
      } finally {
        if (!committed) {
          connection.rollback();
        }
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw failed(e);
    } finally {
      if (!committed) {
        log.rolledBack(leaves);
      }
    }
  }

  /** Returns the revocation of a certificate, if there is one. */
  Optional<Revocation> find(CrlShard shard, BigInteger serial) {
    try (Connection connection = dataSource.getConnection()) {
      return find(connection, shard.issuer(), serial);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static boolean insert(
      Connection connection, CrlShard shard, Revocation revocation, String by) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ADD)) {
      statement.setString(1, shard.issuer());
      statement.setBigDecimal(2, new BigDecimal(revocation.serial()));
      statement.setString(3, shard.name());
      statement.setObject(4, revocation.at().atOffset(ZoneOffset.UTC));
      statement.setInt(5, revocation.reason().code());
      statement.setString(6, by);
      return statement.executeUpdate() > 0;
    }
  }

  private static Revocation stands(Connection connection, CrlShard shard, BigInteger serial)
      throws SQLException {
    return find(connection, shard.issuer(), serial).orElseThrow();
  }

  /** Returns the revocation of a certificate, if there is one. */
  static Optional<Revocation> find(Connection connection, String issuer, BigInteger serial)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, issuer);
      statement.setBigDecimal(2, new BigDecimal(serial));
      return revocations(statement).stream().findFirst();
    }
  }

  /** Returns the revocations of a list, the oldest first. */
  static List<Revocation> of(CrlShard shard, Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LIST)) {
      statement.setString(1, shard.issuer());
      statement.setString(2, shard.name());
      return revocations(statement);
    }
  }

  private static List<Revocation> revocations(PreparedStatement statement) throws SQLException {
    List<Revocation> found = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        found.add(
            new Revocation(
                new BigInteger(rows.getString(1)),
                Instant.ofEpochSecond(rows.getLong(2)),
                RevocationReason.coded(rows.getInt(3))));
      }
    }
    return found;
  }

  private static DatabaseException failed(SQLException e) {
    return new DatabaseException("revocations cannot be read or written: " + e.getMessage(), e);
  }
}
