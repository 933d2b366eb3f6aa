package org.keywell.service.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import org.keywell.service.identity.ProvenIdentity;
import org.keywell.service.request.RequestTimes.Stage;
import org.keywell.service.request.SignRequest;

/** Records requests as received, before anything irreversible is done for them. */
final class IntentStatement {

  private static final String INSERT =
      """
      INSERT INTO sign_request
        (request_id, request_sha256, status, instance, caller, test_id, pool_mode,
         digest_algorithm, digest, signature_algorithm, key_spec, request_received,
         signer_reference, profile, identity_provider, proof_sha256)
      VALUES (?, ?, 'received', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (request_id) DO NOTHING
      """;

  private final String instance;
  private final String poolMode;

  IntentStatement(String instance, String poolMode) {
    this.instance = instance;
    this.poolMode = poolMode;
  }

  /** Inserts in order; the result tells for each whether its request id was new. */
  boolean[] execute(Connection connection, List<Entry.Intent> intents) throws SQLException {
    if (intents.isEmpty()) {
      return new boolean[0];
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (Entry.Intent intent : intents) {
        SignRequest request = intent.request();
        insert.setObject(1, request.requestId());
        insert.setBytes(2, request.fingerprint());
        insert.setString(3, instance);
        insert.setString(4, request.caller().name());
        insert.setString(5, request.testId());
        insert.setString(6, poolMode);
        insert.setString(7, request.digestAlgorithm().label());
        insert.setBytes(8, request.digest());
        insert.setString(9, request.scheme().label());
        insert.setString(10, request.keySpec().label());
        insert.setObject(
            11, intent.times().at(Stage.REQUEST_RECEIVED).orElseThrow().atOffset(ZoneOffset.UTC));
        insert.setString(12, request.signerReference());
        insert.setString(13, request.profile());
        ProvenIdentity identity = request.identity();
        insert.setString(14, identity == null ? null : identity.provider());
        insert.setBytes(15, identity == null ? null : identity.sha256());
        insert.addBatch();
      }
      return BatchCounts.changed(insert.executeBatch());
    }
  }
}
