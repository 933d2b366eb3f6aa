package org.keywell.service.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CaChain;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.service.request.FailureReason;
import org.keywell.service.request.KeyUse;
import org.keywell.service.request.RequestTimes.Stage;
import org.keywell.service.request.SignOutcome;

/** Reads requests back. Thread-safe. */
public final class SignRecords {

  private static final String FIND =
      """
      SELECT s.*, c.certificates, l.key_gone FROM sign_request s
      LEFT JOIN ca_chain c ON c.id = s.ca_chain_id
      LEFT JOIN late_destruction l ON l.request_id = s.request_id
      WHERE s.request_id = ? AND s.caller = coalesce(?, s.caller)
      """;

  private final DataSource dataSource;

  public SignRecords(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * The request of the given id, if there is one.
   *
   * @throws RecordException if the database fails
   * @throws ReadsBusyException if others have all connections
   */
  public Optional<SignRecord> find(UUID requestId) {
    return find(requestId, null);
  }

  /**
   * The request of the given id, if there is one of this caller. The same statement looks for an id
   * that nobody has and for another caller's, and finds nothing in both cases: neither the answer
   * nor its time tells them apart.
   *
   * @throws RecordException if the database fails
   * @throws ReadsBusyException if others have all connections
   */
  public Optional<SignRecord> findOf(String caller, UUID requestId) {
    return find(requestId, caller);
  }

  /**
   * @param caller null: whoever's it is
   */
  private Optional<SignRecord> find(UUID requestId, @Nullable String caller) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setObject(1, requestId);
      find.setString(2, caller);
      try (ResultSet row = find.executeQuery()) {
        return row.next() ? Optional.of(read(requestId, row)) : Optional.empty();
      }
    } catch (SQLException e) {
      if (SqlStates.isPoolFull(e)) {
        throw new ReadsBusyException(e);
      }
      throw new RecordException("the database cannot be read", e);
    }
  }

  /**
   * Keeps a chain that records may refer to; does nothing if it is kept already.
   *
   * @throws RecordException if the database fails
   */
  public void keep(CaChain chain) {
    try (Connection connection = dataSource.getConnection()) {
      ChainStatement.keep(connection, List.of(chain));
    } catch (SQLException e) {
      throw new RecordException("the CA's chain cannot be kept in the database", e);
    }
  }

  private static SignRecord read(UUID requestId, ResultSet row) throws SQLException {
    Map<Stage, Instant> times = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      OffsetDateTime time =
          row.getObject(stage.name().toLowerCase(Locale.ROOT), OffsetDateTime.class);
      if (time != null) {
        times.put(stage, time.toInstant());
      }
    }
    OffsetDateTime keyGone = row.getObject("key_gone", OffsetDateTime.class);
    return new SignRecord(
        requestId,
        row.getBytes("request_sha256"),
        row.getString("caller"),
        row.getString("signature_algorithm"),
        times,
        outcome(row),
        keyGone == null ? null : keyGone.toInstant());
  }

  private static @Nullable SignOutcome outcome(ResultSet row) throws SQLException {
    String status = row.getString("status");
    return switch (status) {
      case "received" -> null;
      case "expired" -> new SignOutcome.Expired(keyUse(row));
      case "failed" ->
          new SignOutcome.Failed(
              FailureReason.ofLabel(row.getString("failure")),
              row.getString("failure_detail"),
              keyUse(row));
      case "signed" ->
          new SignOutcome.Signed(
              row.getBytes("signature"),
              row.getBytes("certificate"),
              row.getString("certificate_serial"),
              new CaChain(
                  row.getBytes("ca_chain_id"),
                  List.of((byte[][]) row.getArray("certificates").getArray())),
              Objects.requireNonNull(keyUse(row)));
      default -> throw new SQLException("sign_request has the unknown status " + status);
    };
  }

  /** Null if the request spent no key, or its key's end is not on record. */
  private static @Nullable KeyUse keyUse(ResultSet row) throws SQLException {
    Long returnValue = row.getObject("destruction_return_value", Long.class);
    if (returnValue == null) {
      return null;
    }
    boolean recordedElsewhere = row.getObject("pre_generated") == null;
    return new KeyUse(
        row.getObject(recordedElsewhere ? "withheld_key_id" : "key_id", Long.class),
        row.getString("wrapping_key_id"),
        row.getBytes("public_key_sha256"),
        new Destruction(returnValue),
        recordedElsewhere);
  }
}
