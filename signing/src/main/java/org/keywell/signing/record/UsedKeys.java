package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SigningForm;

/**
 * Notes each key that a record names, in a table that outlasts the records. Its unique indexes are
 * violated if another request's record names the same key.
 */
final class UsedKeys {

  private static final String KEYS =
      """
      INSERT INTO used_key (key_id, request_received, request_id, public_key_sha256)
      SELECT * FROM unnest(?, ?, ?, ?) AS k (key_id, request_received, request_id, sha256)
      """;

  // An act's key is noted when it is certified, before the act is answered. OFFSET 0: else the
  // planner may read all keys instead of probing the indexes for each.
  private static final String UNLESS_NOTED_BEFORE =
      KEYS
          + """
          WHERE NOT EXISTS (
              SELECT FROM used_key u
              WHERE u.key_id = k.key_id AND u.request_id = k.request_id OFFSET 0)
            AND NOT EXISTS (
              SELECT FROM used_key u
              WHERE u.public_key_sha256 = k.sha256 AND u.request_id = k.request_id OFFSET 0)
          """;

  // Another request may have named it: that is why it was withheld.
  private static final String UNLESS_NAMED = KEYS + "ON CONFLICT DO NOTHING";

  private record Named(
      @Nullable Long keyId, OffsetDateTime received, UUID requestId, byte @Nullable [] sha256) {}

  /**
   * Notes the keys of those that have ended, or are open, since this transaction.
   *
   * @param onRecord for each, whether it is one of them
   */
  void add(Connection connection, List<Entry.Outcome> outcomes, boolean[] onRecord)
      throws SQLException {
    List<Named> inOneCall = new ArrayList<>(onRecord.length);
    List<Named> ofActs = new ArrayList<>(0);
    List<Named> withheld = new ArrayList<>(0);
    for (int i = 0; i < onRecord.length; i++) {
      Entry.Outcome entry = outcomes.get(i);
      KeyUse use = use(entry.outcome());
      if (!onRecord[i] || use == null) {
        continue;
      }
      Named named = named(entry, use);
      if (named.keyId() == null && named.sha256() == null) {
        continue;
      }
      if (use.recordedElsewhere()) {
        withheld.add(named);
      } else if (entry.request().form() instanceof SigningForm.InTwoCalls) {
        ofActs.add(named);
      } else {
        inOneCall.add(named);
      }
    }
    insert(connection, KEYS, inOneCall);
    insert(connection, UNLESS_NOTED_BEFORE, ofActs);
    insert(connection, UNLESS_NAMED, withheld);
  }

  private static @Nullable KeyUse use(SignOutcome outcome) {
    return outcome instanceof SignOutcome.Opened opened ? opened.key() : outcome.keyUse();
  }

  /** A public key that was not certified may be anyone's: it must not block its owner. */
  private static Named named(Entry.Outcome entry, KeyUse use) {
    boolean certified = entry.outcome().issued() != null && !use.recordedElsewhere();
    return new Named(
        use.keyId(),
        entry.times().at(Stage.REQUEST_RECEIVED).orElseThrow().atOffset(ZoneOffset.UTC),
        entry.requestId(),
        certified ? use.publicKeySha256() : null);
  }

  private static void insert(Connection connection, String sql, List<Named> keys)
      throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      byte[][] hashes = keys.stream().map(Named::sha256).toArray(byte[][]::new);
      insert.setArray(1, connection.createArrayOf("bigint", column(keys, Named::keyId)));
      insert.setArray(2, connection.createArrayOf("timestamptz", column(keys, Named::received)));
      insert.setArray(3, connection.createArrayOf("uuid", column(keys, Named::requestId)));
      insert.setArray(4, connection.createArrayOf("bytea", hashes));
      int _ = insert.executeUpdate();
    }
  }

  private static Object[] column(List<Named> keys, Function<Named, @Nullable Object> column) {
    return keys.stream().map(column).toArray();
  }
}
