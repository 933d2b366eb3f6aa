package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProvenIdentity;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;

/**
 * Records requests as received, before anything irreversible is done for them. The same statement
 * marks the ticket as used: either both are on record or neither.
 */
final class IntentStatement {

  // Its partition cannot know whether the id is new: another table does, which has no partitions.
  private static final String INSERT =
      """
      known AS (
        INSERT INTO known_request (request_id, request_received) %s
        ON CONFLICT DO NOTHING RETURNING request_id, request_received)
      INSERT INTO sign_request
        (request_id, request_received, request_sha256, status, instance, caller, test_id,
         pool_mode, digest_algorithm, digest, signature_algorithm, key_spec, signer_reference,
         profile, identity_provider, proof_sha256, digests, container, act_digests)
      SELECT request_id, request_received, ?, 'received', ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
      FROM known
      """;

  private static final String WITHOUT_TICKET = "WITH " + INSERT.formatted("VALUES (?, ?)");

  // A request that is already on record does not use its ticket. If two instances record the same
  // id at the same time with two tickets, the second ticket is wasted.
  private static final String WITH_TICKET =
      """
      WITH ticket AS (
        INSERT INTO used_proof (proof_sha256, request_id, usable_until)
        SELECT ?, ?, ? WHERE NOT EXISTS (SELECT FROM known_request WHERE request_id = ?)
        ON CONFLICT (proof_sha256) DO NOTHING
        RETURNING 1),
      """
          + INSERT.formatted("SELECT ?, ? FROM ticket");

  private final String instance;
  private final String poolMode;

  IntentStatement(String instance, String poolMode) {
    this.instance = instance;
    this.poolMode = poolMode;
  }

  /**
   * Inserts in order, those with tickets last and by ticket. Returns, for each, whether it is on
   * record now. If not, its request id was known, or its ticket has served another.
   */
  boolean[] execute(Connection connection, List<Entry.Intent> intents) throws SQLException {
    boolean[] isNew = new boolean[intents.size()];
    List<Integer> withoutTicket = new ArrayList<>(intents.size());
    SortedMap<byte[], List<Integer>> byTicket = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < intents.size(); i++) {
      ProvenIdentity identity = intents.get(i).request().identity();
      if (identity == null) {
        withoutTicket.add(i);
      } else {
        byTicket.computeIfAbsent(identity.sha256(), _ -> new ArrayList<>(1)).add(i);
      }
    }
    execute(connection, WITHOUT_TICKET, intents, withoutTicket, isNew);
    // The same order at all instances: requests sent to two of them may share many tickets, and
    // each ticket stays locked until the commit.
    List<Integer> withTicket = byTicket.values().stream().flatMap(List::stream).toList();
    execute(connection, WITH_TICKET, intents, withTicket, isNew);
    return isNew;
  }

  private void execute(
      Connection connection,
      String sql,
      List<Entry.Intent> intents,
      List<Integer> places,
      boolean[] isNew)
      throws SQLException {
    if (places.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int place : places) {
        bind(connection, insert, intents.get(place));
        insert.addBatch();
      }
      boolean[] changed = BatchCounts.changed(insert.executeBatch());
      for (int i = 0; i < changed.length; i++) {
        isNew[places.get(i)] = changed[i];
      }
    }
  }

  private void bind(Connection connection, PreparedStatement insert, Entry.Intent intent)
      throws SQLException {
    SignRequest request = intent.request();
    ProvenIdentity identity = request.identity();
    int first = 1;
    if (identity != null) {
      insert.setBytes(1, identity.sha256());
      insert.setObject(2, request.requestId());
      insert.setObject(3, identity.usableUntil().atOffset(ZoneOffset.UTC));
      insert.setObject(4, request.requestId());
      first = 5;
    }
    insert.setObject(first, request.requestId());
    insert.setObject(
        first + 1,
        intent.times().at(Stage.REQUEST_RECEIVED).orElseThrow().atOffset(ZoneOffset.UTC));
    insert.setBytes(first + 2, request.fingerprint());
    insert.setString(first + 3, instance);
    insert.setString(first + 4, request.caller().name());
    insert.setString(first + 5, request.testId());
    insert.setString(first + 6, poolMode);
    insert.setString(first + 7, request.digestAlgorithm().label());
    List<byte[]> digests = request.digests();
    insert.setBytes(first + 8, digests.isEmpty() ? null : digests.getFirst());
    insert.setString(first + 9, request.scheme().label());
    insert.setString(first + 10, request.keySpec().label());
    insert.setString(first + 11, request.signerReference());
    insert.setString(first + 12, request.profile());
    insert.setString(first + 13, identity == null ? null : identity.provider());
    insert.setBytes(first + 14, identity == null ? null : identity.sha256());
    insert.setArray(first + 15, digests.size() > 1 ? ByteArrays.of(connection, digests) : null);
    switch (request.form()) {
      case SigningForm.Bare bare -> bindForm(insert, first + 16, null, null);
      case SigningForm.Contained contained ->
          bindForm(insert, first + 16, contained.container().label(), null);
      case SigningForm.InTwoCalls act -> bindForm(insert, first + 16, null, act.digests());
    }
  }

  private static void bindForm(
      PreparedStatement insert, int first, @Nullable String container, @Nullable Integer digests)
      throws SQLException {
    insert.setString(first, container);
    insert.setObject(first + 1, digests, Types.INTEGER);
  }
}
