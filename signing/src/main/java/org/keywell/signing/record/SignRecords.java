package org.keywell.signing.record;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
import org.keywell.signing.request.Container;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SigningForm;

/** Reads recorded requests. Thread-safe. */
public final class SignRecords {

  private static final String FIND =
      """
      SELECT s.*, c.certificates, l.key_gone FROM sign_request s
      LEFT JOIN ca_chain c ON c.id = s.ca_chain_id
      LEFT JOIN late_destruction l ON l.request_id = s.request_id
      WHERE s.request_id = ? AND s.request_received =
          (SELECT k.request_received FROM known_request k WHERE k.request_id = ?)
        AND s.caller = coalesce(?, s.caller)
      """;

  private final DataSource dataSource;

  public SignRecords(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Returns the request with the given id, if any.
   *
   * @throws RecordException if the database fails
   * @throws ReadsBusyException if others have all connections
   */
  public Optional<SignRecord> find(UUID requestId) {
    return find(requestId, null);
  }

  /**
   * Returns the request with the given id if it is this caller's. The same statement covers unknown
   * ids and those of other callers: neither the answer nor its timing distinguishes them.
   *
   * @throws RecordException if the database fails
   * @throws ReadsBusyException if others have all connections
   */
  public Optional<SignRecord> findOf(String caller, UUID requestId) {
    return find(requestId, caller);
  }

  /**
   * @param caller null: any
   */
  private Optional<SignRecord> find(UUID requestId, @Nullable String caller) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setObject(1, requestId);
      find.setObject(2, requestId);
      find.setString(3, caller);
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
   * Stores a chain that records may refer to; does nothing if already stored.
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
        row.getString("digest_algorithm"),
        row.getString("signature_algorithm"),
        form(row),
        times,
        outcome(row),
        keyGone == null ? null : keyGone.toInstant(),
        act(row),
        null);
  }

  private static @Nullable ActRecord act(ResultSet row) throws SQLException {
    if (row.getObject("act_digests") == null) {
      return null;
    }
    byte[] first = row.getBytes("digest");
    return new ActRecord(
        row.getString("instance"),
        instant(row, "act_expires"),
        several(row, "digests").orElse(first == null ? List.of() : List.of(first)));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static SigningForm form(ResultSet row) throws SQLException {
    Integer digests = row.getObject("act_digests", Integer.class);
    if (digests != null) {
      return new SigningForm.InTwoCalls(digests, Duration.ZERO);
    }
    String container = row.getString("container");
    return container == null
        ? new SigningForm.Bare()
        : new SigningForm.Contained(Container.ofLabel(container));
  }

  private static @Nullable SignOutcome outcome(ResultSet row) throws SQLException {
    String status = row.getString("status");
    if (row.getObject("erased") != null) {
      return new SignOutcome.Failed(
          FailureReason.ERASED, "the signer's data was erased from the record", null, null);
    }
    return switch (status) {
      case "received" -> null;
      case "open" ->
          new SignOutcome.Opened(
              Objects.requireNonNull(issued(row)),
              key(row, Destruction.NOT_CALLED),
              Objects.requireNonNull(instant(row, "act_opened")),
              Objects.requireNonNull(instant(row, "act_expires")));
      case "cancelled" -> new SignOutcome.Cancelled(keyUse(row), issued(row));
      case "expired" -> new SignOutcome.Expired(keyUse(row), issued(row));
      case "failed" ->
          new SignOutcome.Failed(
              FailureReason.ofLabel(row.getString("failure")),
              row.getString("failure_detail"),
              keyUse(row),
              issued(row));
      case "signed" ->
          new SignOutcome.Signed(
              several(row, "signatures").orElse(List.of(row.getBytes("signature"))),
              several(row, "signed_attributes").orElse(List.of()),
              Objects.requireNonNull(issued(row)),
              Objects.requireNonNull(keyUse(row)));
      default -> throw new SQLException("sign_request has the unknown status " + status);
    };
  }

  private static Optional<List<byte[]>> several(ResultSet row, String column) throws SQLException {
    Array values = row.getArray(column);
    return values == null ? Optional.empty() : Optional.of(List.of((byte[][]) values.getArray()));
  }

  private static @Nullable IssuedCertificate issued(ResultSet row) throws SQLException {
    byte[] certificate = row.getBytes("certificate");
    return certificate == null
        ? null
        : new IssuedCertificate(
            certificate,
            row.getString("certificate_serial"),
            new CaChain(
                row.getBytes("ca_chain_id"), several(row, "certificates").orElse(List.of())));
  }

  /** Returns null if the request spent no key or its key's end is not on record. */
  private static @Nullable KeyUse keyUse(ResultSet row) throws SQLException {
    Long returnValue = row.getObject("destruction_return_value", Long.class);
    return returnValue == null ? null : key(row, new Destruction(returnValue));
  }

  private static KeyUse key(ResultSet row, Destruction destruction) throws SQLException {
    boolean recordedElsewhere = row.getObject("pre_generated") == null;
    return new KeyUse(
        row.getObject(recordedElsewhere ? "withheld_key_id" : "key_id", Long.class),
        row.getString("wrapping_key_id"),
        row.getBytes("public_key_sha256"),
        destruction,
        recordedElsewhere);
  }
}
