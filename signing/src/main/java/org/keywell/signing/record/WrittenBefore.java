package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;

/**
 * Recognises an outcome that an earlier attempt recorded: its commit took effect, but the answer
 * was lost with the connection.
 */
final class WrittenBefore {

  // The end time, in microseconds, distinguishes a failure from any other of the same request.
  private static final String FIND =
      """
      SELECT 1 FROM sign_request
      WHERE request_id = ? AND request_received = ?
        AND instance = ? AND status = ? AND request_finished = ?
        AND failure IS NOT DISTINCT FROM ?
        AND signature IS NOT DISTINCT FROM ? AND certificate_serial IS NOT DISTINCT FROM ?
      """;

  private final String instance;

  WrittenBefore(String instance) {
    this.instance = instance;
  }

  /** Checks each outcome whose update found no open request; sets those on record. */
  void find(Connection connection, Batch batch, boolean[] onRecord) throws SQLException {
    for (int i = 0; i < onRecord.length; i++) {
      if (!onRecord[i] && !(batch.outcomes().get(i).outcome() instanceof SignOutcome.Opened)) {
        onRecord[i] = isOnRecord(connection, batch.outcomes().get(i));
      }
    }
  }

  private boolean isOnRecord(Connection connection, Entry.Outcome entry) throws SQLException {
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setObject(1, entry.requestId());
      find.setObject(2, utc(entry, Stage.REQUEST_RECEIVED));
      find.setString(3, instance);
      find.setObject(5, utc(entry, Stage.REQUEST_FINISHED));
      switch (entry.outcome()) {
        case SignOutcome.Signed signed ->
            bind(find, "signed", null, signed.signatures().getFirst(), signed.issued().serial());
        case SignOutcome.Failed failed ->
            bind(find, "failed", failed.reason().label(), null, serial(failed.issued()));
        case SignOutcome.Expired expired ->
            bind(find, "expired", null, null, serial(expired.issued()));
        case SignOutcome.Cancelled cancelled ->
            bind(find, "cancelled", null, null, serial(cancelled.issued()));
        case SignOutcome.Opened opened -> throw new IllegalArgumentException("an act that is open");
      }
      try (ResultSet row = find.executeQuery()) {
        return row.next();
      }
    }
  }

  private static @Nullable OffsetDateTime utc(Entry.Outcome entry, Stage stage) {
    return entry.times().at(stage).map(at -> at.atOffset(ZoneOffset.UTC)).orElse(null);
  }

  private static @Nullable String serial(@Nullable IssuedCertificate issued) {
    return issued == null ? null : issued.serial();
  }

  private static void bind(
      PreparedStatement find,
      String status,
      @Nullable String failure,
      byte @Nullable [] signature,
      @Nullable String serial)
      throws SQLException {
    find.setString(4, status);
    find.setString(6, failure);
    find.setBytes(7, signature);
    find.setString(8, serial);
  }
}
