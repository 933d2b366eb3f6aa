package org.keywell.service.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.keywell.service.request.FailureReason;
import org.keywell.service.request.RequestTimes.Stage;

/** Reads requests back. Thread-safe. */
public final class SignRecords {

  private static final String FIND =
      """
      SELECT s.*, c.certificates FROM sign_request s
      LEFT JOIN ca_chain c ON c.id = s.ca_chain_id
      WHERE s.request_id = ?
      """;

  private static final String KEEP_CHAIN =
      "INSERT INTO ca_chain (id, certificates) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";

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
    try (Connection connection = dataSource.getConnection();
        PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setObject(1, requestId);
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
   * Keeps the chain that records refer to; does nothing if it is kept already.
   *
   * @throws RecordException if the database fails
   */
  public void keep(CaChain chain) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement keep = connection.prepareStatement(KEEP_CHAIN)) {
      keep.setBytes(1, chain.id());
      keep.setArray(
          2, connection.createArrayOf("bytea", chain.certificates().toArray(byte[][]::new)));
      keep.executeUpdate();
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
    return new SignRecord(
        requestId, row.getBytes("request_sha256"), row.getString("caller"), times, state(row));
  }

  private static SignRecord.State state(ResultSet row) throws SQLException {
    String status = row.getString("status");
    return switch (status) {
      case "received" -> new SignRecord.State.Received();
      case "expired" -> new SignRecord.State.Expired();
      case "failed" ->
          new SignRecord.State.Failed(
              FailureReason.ofLabel(row.getString("failure")), row.getString("failure_detail"));
      case "signed" ->
          new SignRecord.State.Signed(
              row.getString("signature_algorithm"),
              row.getBytes("signature"),
              chain(row),
              row.getBoolean("pre_generated"),
              row.getLong("waiting_time_micros"),
              row.getLong("process_time_micros"));
      default -> throw new SQLException("sign_request has the unknown status " + status);
    };
  }

  private static List<byte[]> chain(ResultSet row) throws SQLException {
    List<byte[]> chain = new ArrayList<>();
    chain.add(row.getBytes("certificate"));
    chain.addAll(List.of((byte[][]) row.getArray("certificates").getArray()));
    return chain;
  }
}
