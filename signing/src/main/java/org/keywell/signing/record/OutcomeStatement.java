package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;

/** Records how requests ended. */
final class OutcomeStatement {

  private static final String UPDATE =
      """
      UPDATE sign_request SET
        status = ?, failure = ?, failure_detail = ?, signature = ?, certificate = ?,
        certificate_serial = ?, ca_chain_id = ?, key_id = ?, wrapping_key_id = ?,
        public_key_sha256 = ?, pre_generated = ?, destruction_return_value = ?,
        request_start_to_process = ?, request_got_key_pair = ?, signed = ?, certified = ?,
        key_destroyed = ?, request_finished = ?, waiting_time_micros = ?, process_time_micros = ?,
        withheld_key_id = ?, signatures = ?, signed_attributes = ?, signer_salt = ?
      WHERE request_id = ? AND request_received = ? AND status IN ('received', 'open')
      """;

  /**
   * Returns, for each, whether its request was in flight, so that it is on record now. Opened acts
   * have not ended: {@link ActStatement} records them.
   *
   * @param salts one for each; empty if there is no log
   */
  boolean[] execute(Connection connection, List<Entry.Outcome> outcomes, List<byte[]> salts)
      throws SQLException {
    boolean[] changed = new boolean[outcomes.size()];
    int[] places = new int[outcomes.size()];
    int ends = 0;
    for (int i = 0; i < places.length; i++) {
      if (!(outcomes.get(i).outcome() instanceof SignOutcome.Opened)) {
        places[ends++] = i;
      }
    }
    if (ends == 0) {
      return changed;
    }
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      for (int i = 0; i < ends; i++) {
        bind(connection, update, outcomes.get(places[i]));
        update.setBytes(24, salts.isEmpty() ? null : salts.get(places[i]));
        update.addBatch();
      }
      boolean[] ended = BatchCounts.changed(update.executeBatch());
      for (int i = 0; i < ends; i++) {
        changed[places[i]] = ended[i];
      }
      return changed;
    }
  }

  private static void bind(Connection connection, PreparedStatement update, Entry.Outcome entry)
      throws SQLException {
    switch (entry.outcome()) {
      case SignOutcome.Signed signed -> {
        bindStatus(update, "signed", null, null);
        bindSignatures(connection, update, signed);
        bindCertificate(update, signed.issued());
        bindKey(update, signed.keyUse());
        update.setBytes(10, signed.keyUse().publicKeySha256());
      }
      case SignOutcome.Failed failed -> {
        bindStatus(update, "failed", failed.reason().label(), failed.detail());
        bindNothingSigned(update, failed);
      }
      case SignOutcome.Expired expired -> {
        bindStatus(update, "expired", null, null);
        bindNothingSigned(update, expired);
      }
      case SignOutcome.Cancelled cancelled -> {
        bindStatus(update, "cancelled", null, null);
        bindNothingSigned(update, cancelled);
      }
      case SignOutcome.Opened opened -> throw new IllegalArgumentException("an act that is open");
    }
    bindTimes(update, entry.times());
    // The handler of a request ended in its place may have destroyed the key since.
    boolean destroyed = entry.keyUse().filter(use -> use.destruction().succeeded()).isPresent();
    update.setObject(17, destroyed ? utc(entry.times().at(Stage.KEY_DESTROYED)) : null);
    update.setObject(25, entry.requestId());
    update.setObject(26, utc(entry.times().at(Stage.REQUEST_RECEIVED)));
  }

  private static void bindStatus(
      PreparedStatement update, String status, @Nullable String failure, @Nullable String detail)
      throws SQLException {
    update.setString(1, status);
    update.setString(2, failure);
    update.setString(3, detail);
  }

  private static void bindSignatures(
      Connection connection, PreparedStatement update, SignOutcome.Signed signed)
      throws SQLException {
    update.setBytes(4, signed.signatures().getFirst());
    boolean several = signed.signatures().size() > 1;
    update.setArray(22, several ? ByteArrays.of(connection, signed.signatures()) : null);
    boolean inPlace = !signed.signedAttributes().isEmpty();
    update.setArray(23, inPlace ? ByteArrays.of(connection, signed.signedAttributes()) : null);
  }

  private static void bindCertificate(PreparedStatement update, @Nullable IssuedCertificate issued)
      throws SQLException {
    update.setBytes(5, issued == null ? null : issued.certificate());
    update.setString(6, issued == null ? null : issued.serial());
    update.setBytes(7, issued == null ? null : issued.chain().id());
  }

  private static void bindNothingSigned(PreparedStatement update, SignOutcome outcome)
      throws SQLException {
    update.setNull(4, Types.BINARY);
    update.setNull(22, Types.ARRAY);
    update.setNull(23, Types.ARRAY);
    bindCertificate(update, outcome.issued());
    KeyUse use = outcome.keyUse();
    bindKey(update, use);
    // A stored public key that failed the CA's check may be anyone's: it must not block its owner.
    KeyUse certified =
        outcome.issued() == null || use == null || use.recordedElsewhere() ? null : use;
    update.setBytes(10, certified == null ? null : certified.publicKeySha256());
  }

  private static void bindKey(PreparedStatement update, @Nullable KeyUse use) throws SQLException {
    KeyUse named = use == null || use.recordedElsewhere() ? null : use;
    update.setObject(8, named == null ? null : named.keyId(), Types.BIGINT);
    update.setString(9, named == null ? null : named.wrappingKeyId());
    update.setObject(11, named == null ? null : named.preGenerated(), Types.BOOLEAN);
    update.setObject(12, use == null ? null : use.destruction().returnValue(), Types.BIGINT);
    update.setObject(21, use == null || named != null ? null : use.keyId(), Types.BIGINT);
  }

  private static void bindTimes(PreparedStatement update, RequestTimes times) throws SQLException {
    update.setObject(13, utc(times.at(Stage.REQUEST_START_TO_PROCESS)));
    update.setObject(14, utc(times.at(Stage.REQUEST_GOT_KEY_PAIR)));
    update.setObject(15, utc(times.at(Stage.SIGNED)));
    update.setObject(16, utc(times.at(Stage.CERTIFIED)));
    update.setObject(18, utc(times.at(Stage.REQUEST_FINISHED)));
    update.setObject(19, times.waiting().map(OutcomeStatement::micros).orElse(null), Types.BIGINT);
    update.setObject(
        20, times.processing().map(OutcomeStatement::micros).orElse(null), Types.BIGINT);
  }

  private static @Nullable OffsetDateTime utc(Optional<Instant> instant) {
    return instant.map(i -> i.atOffset(ZoneOffset.UTC)).orElse(null);
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
