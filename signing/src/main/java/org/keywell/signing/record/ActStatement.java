package org.keywell.signing.record;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;

/** Records an act's opening and, later, its digests. */
final class ActStatement {

  // Also if 'open': an earlier attempt took effect unnoticed, because its answer was lost.
  private static final String OPEN =
      """
      UPDATE sign_request SET
        status = 'open', certificate = ?, certificate_serial = ?, ca_chain_id = ?, key_id = ?,
        wrapping_key_id = ?, public_key_sha256 = ?, pre_generated = ?, request_start_to_process = ?,
        request_got_key_pair = ?, certified = ?, act_opened = ?, act_expires = ?
      WHERE request_id = ? AND request_received = ? AND instance = ?
        AND status IN ('received', 'open')
      """;

  // Overwrites digests of an attempt that was reported as failed: nothing was signed.
  private static final String DIGESTS =
      """
      UPDATE sign_request SET digest = ?, digests = ?, act_sign_received = ?
      WHERE request_id = ? AND instance = ? AND status = 'open'
        AND request_received =
          (SELECT k.request_received FROM known_request k WHERE k.request_id = ?)
        AND NOT EXISTS
          (SELECT FROM revoked_certificate r WHERE r.issuer = ? AND r.serial = ?)
      """;

  private static final String IS_REVOKED =
      "SELECT EXISTS (SELECT FROM revoked_certificate WHERE issuer = ? AND serial = ?)";

  private final String instance;

  ActStatement(String instance) {
    this.instance = instance;
  }

  /** For each entry that opens an act, sets whether it is now on record. */
  void open(Connection connection, List<Entry.Outcome> outcomes, boolean[] onRecord)
      throws SQLException {
    for (int i = 0; i < onRecord.length; i++) {
      Entry.Outcome entry = outcomes.get(i);
      if (entry.outcome() instanceof SignOutcome.Opened opened) {
        onRecord[i] = open(connection, entry, opened);
      }
    }
  }

  private boolean open(Connection connection, Entry.Outcome entry, SignOutcome.Opened opened)
      throws SQLException {
    IssuedCertificate issued = opened.issued();
    KeyUse key = opened.key();
    try (PreparedStatement open = connection.prepareStatement(OPEN)) {
      open.setBytes(1, issued.certificate());
      open.setString(2, issued.serial());
      open.setBytes(3, issued.chain().id());
      open.setObject(4, key.keyId(), java.sql.Types.BIGINT);
      open.setString(5, key.wrappingKeyId());
      open.setBytes(6, key.publicKeySha256());
      open.setBoolean(7, key.preGenerated());
      open.setObject(8, utc(entry.times().at(Stage.REQUEST_START_TO_PROCESS)));
      open.setObject(9, utc(entry.times().at(Stage.REQUEST_GOT_KEY_PAIR)));
      open.setObject(10, utc(entry.times().at(Stage.CERTIFIED)));
      open.setObject(11, opened.opened().atOffset(ZoneOffset.UTC));
      open.setObject(12, opened.expires().atOffset(ZoneOffset.UTC));
      open.setObject(13, entry.requestId());
      open.setObject(14, utc(entry.times().at(Stage.REQUEST_RECEIVED)));
      open.setString(15, instance);
      return open.executeUpdate() == 1;
    }
  }

  /** Returns, for each, how its act stood; if it was open, its digests are on record. */
  List<ActStanding> digests(Connection connection, List<Entry.Digests> entries)
      throws SQLException {
    if (entries.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement update = connection.prepareStatement(DIGESTS)) {
      for (Entry.Digests entry : entries) {
        List<byte[]> digests = entry.request().digests();
        update.setBytes(1, digests.getFirst());
        update.setArray(2, digests.size() > 1 ? ByteArrays.of(connection, digests) : null);
        update.setObject(3, entry.received().atOffset(ZoneOffset.UTC));
        update.setObject(4, entry.requestId());
        update.setString(5, instance);
        update.setObject(6, entry.requestId());
        bindCertificate(update, 7, entry);
        update.addBatch();
      }
      boolean[] recorded = BatchCounts.changed(update.executeBatch());
      List<ActStanding> standings = new ArrayList<>();
      for (int i = 0; i < recorded.length; i++) {
        standings.add(recorded[i] ? ActStanding.OPEN : notOpen(connection, entries.get(i)));
      }
      return standings;
    }
  }

  private static ActStanding notOpen(Connection connection, Entry.Digests entry)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(IS_REVOKED)) {
      bindCertificate(select, 1, entry);
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getBoolean(1) ? ActStanding.REVOKED : ActStanding.CLOSED;
      }
    }
  }

  /** A certificate that names no list is not revoked: nothing equals null. */
  private static void bindCertificate(PreparedStatement statement, int first, Entry.Digests entry)
      throws SQLException {
    statement.setString(first, entry.list().map(CrlShard::issuer).orElse(null));
    statement.setBigDecimal(first + 1, new BigDecimal(entry.serial()));
  }

  private static @Nullable OffsetDateTime utc(Optional<Instant> instant) {
    return instant.map(i -> i.atOffset(ZoneOffset.UTC)).orElse(null);
  }
}
