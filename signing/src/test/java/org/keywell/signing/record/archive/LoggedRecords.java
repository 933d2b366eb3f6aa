package org.keywell.signing.record.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.sql.SQLException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.keywell.testkit.Sql;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.RightEdge;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TreeHash;

/** Records of signed requests with their entries in a small log, as the database has both. */
final class LoggedRecords {

  private static final String ORIGIN = "test.example/log";

  private final Sql sql;
  private final List<TreeHash> leaves = new ArrayList<>();

  LoggedRecords(Sql sql) {
    this.sql = sql;
  }

  static UUID id(int number) {
    return new UUID(0, number);
  }

  /** Adds one that was received in that month; its number is also its key's, and its entry's. */
  void signed(YearMonth month, int number) throws SQLException {
    sql.update(
        """
        INSERT INTO ca_chain VALUES ('chain', '{}') ON CONFLICT DO NOTHING;
        WITH record AS (
          INSERT INTO sign_request
            (request_id, request_received, request_sha256, status, instance, caller, pool_mode,
             digest_algorithm, digest, signature_algorithm, key_spec, signature, certificate,
             certificate_serial, ca_chain_id, public_key_sha256, pre_generated, key_id,
             wrapping_key_id, destruction_return_value, request_start_to_process,
             request_got_key_pair, signed, certified, request_finished, waiting_time_micros,
             process_time_micros, signer_reference, signer_salt)
          VALUES ('%s', '%s-15 00:00Z'::timestamptz + %d * interval '1 second', 'content', 'signed',
            'a', 'caller', 'pooled', 'SHA-256', 'digest', 'ECDSA', 'EC-P256', 'signature',
            'certificate of %d', 'serial', 'chain', sha256('%d'), true, %d, 'w', 0, now(), now(),
            now(), now(), now(), 1, 1, 'Astrid', 'salt')
          RETURNING *),
        known AS (
          INSERT INTO known_request SELECT request_id, request_received FROM record)
        INSERT INTO used_key
        SELECT key_id, request_received, request_id, public_key_sha256 FROM record
        """
            .formatted(id(number), month, number, number, number, number));
    byte[] entry =
        sql.bytes(
                """
                SELECT convert_to(format(
                  '{"certificateSha256":"%%s","request":"%%s","status":"signed","type":"request","v":1}',
                  encode(sha256(certificate), 'hex'), request_id), 'UTF8')
                FROM sign_request WHERE key_id = %d
                """
                    .formatted(number))
            .getFirst();
    TreeHash leaf = TreeHash.ofLeaf(entry);
    sql.update(
        "INSERT INTO log_entry (index, leaf, entry, request_id) VALUES (%d, '%s', '%s', '%s')"
            .formatted(leaves.size(), bytea(leaf.bytes()), bytea(entry), id(number)));
    leaves.add(leaf);
  }

  /** Makes the log of all that were added. */
  void sign() throws SQLException {
    TreeHash root = RightEdge.empty().append(leaves).edge().root();
    Checkpoint checkpoint = new Checkpoint(ORIGIN, leaves.size(), root);
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      NoteKey key = NoteKey.of(ORIGIN, pair.getPublic());
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate());
      signature.update(checkpoint.text().getBytes(UTF_8));
      SignedNote note =
          new SignedNote(
              checkpoint.text(), List.of(new NoteSignature(ORIGIN, key.id(), signature.sign())));
      sql.update("INSERT INTO log_key (verifier_key) VALUES ('%s')".formatted(key));
      sql.update(
          "INSERT INTO log_tree VALUES (true, '%s', %d, '%s', %d, '%s')"
              .formatted(
                  ORIGIN, leaves.size(), bytea(root.bytes()), leaves.size(), bytea(note.bytes())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String bytea(byte[] bytes) {
    return "\\x" + HexFormat.of().formatHex(bytes);
  }
}
