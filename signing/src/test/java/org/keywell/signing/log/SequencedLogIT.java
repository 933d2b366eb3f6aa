package org.keywell.signing.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.settings.LogProperties;
import org.keywell.settings.OwnWitnessProperties;
import org.keywell.settings.WitnessProperties;
import org.keywell.testkit.Litewitness;
import org.keywell.testkit.ManualTime;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TreeHash;

/**
 * A witness of another maker cosigns what the sequencer makes, as {@link Witnesses} offers it, and
 * says so when the log was replaced. {@code ./keywell test --lint} sets it up.
 */
@Tag("lint")
@Tag("postgresql")
@Timeout(120)
final class SequencedLogIT {

  private static final String ORIGIN = "log.example/service";
  private static final String NAME = "witness.example/lite";

  @TempDir private Path directory;

  private final ManualTime time = new ManualTime();
  private final LogWriter writer = LogWriter.on(time);

  /** As in a token with both: the witness knows Ed25519 only, and ignores the other. */
  private static CheckpointSigner signer(String algorithm, String signature)
      throws GeneralSecurityException {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    NoteKey key = NoteKey.of(ORIGIN, pair.getPublic());
    return new CheckpointSigner(
        key,
        text -> {
          try {
            Signature signing = Signature.getInstance(signature);
            signing.initSign(pair.getPrivate());
            signing.update(text.getBytes(StandardCharsets.UTF_8));
            return Optional.of(new NoteSignature(ORIGIN, key.id(), signing.sign()));
          } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private void grow(LogTables tables, Sequencer sequencer, int entries) {
    for (int i = 0; i < entries; i++) {
      tables.tell(writer, LogEntry.of("request", UUID.randomUUID()));
    }
    Duration _ = sequencer.look();
  }

  @Test
  void litewitnessCosignsTheSequencersTree() throws Exception {
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    try (HikariDataSource dataSource = database.asService().dataSource();
        HikariDataSource superuser = database.dataSource();
        Litewitness other = new Litewitness(NAME, directory)) {
      CheckpointSigner ed25519 = signer("Ed25519", "Ed25519");
      other.register(ORIGIN, TreeHash.EMPTY_TREE.toString(), ed25519.key().toString());
      NoteKey key = new NoteKey(NAME, NoteKey.Type.COSIGNATURE_ED25519, other.publicKey());
      LogProperties settings =
          new LogProperties(
              ORIGIN,
              "keywell-log",
              false,
              List.of(new WitnessProperties(other.prefix(), key.toString())),
              1,
              new OwnWitnessProperties(null, "keywell-witness", List.of()));
      LogTables tables = new LogTables(dataSource);
      tables.begin(ORIGIN);
      Sequencer sequencer = new Sequencer(tables, ORIGIN, writer.leaves(), System::nanoTime);
      sequencer.add(signer("EC", "SHA256withECDSA"));
      sequencer.add(ed25519);
      CosignedTables cosigned = new CosignedTables(dataSource);
      CosignedCheckpoints served = new CosignedCheckpoints(cosigned, settings);
      Witnesses witnesses = new Witnesses(tables, cosigned, served, settings, time);
      Sql sql = new Sql(superuser);

      for (int entries : new int[] {1, 2, 300, 5}) {
        grow(tables, sequencer, entries);
        look(witnesses, sql);
        SignedNote note = served.newest(tables.head()).orElseThrow();
        assertThat(note.signatures()).as("of two keys and the witness").hasSize(3);
        assertThat(note.signedBy(List.of(key))).containsExactly(key);
        assertThat(Checkpoint.parse(note.text()).size()).isEqualTo(tables.head().size());
      }

      sql.update(
          "TRUNCATE log_entry, log_node; UPDATE log_tree SET size = 0, root = sha256(''),"
              + " checkpoint_size = NULL, checkpoint = NULL");
      Sequencer fresh = new Sequencer(tables, ORIGIN, writer.leaves(), System::nanoTime);
      fresh.add(ed25519);
      grow(tables, fresh, 400);
      look(witnesses, sql);
      assertThat(witnesses.contradiction().orElseThrow()).contains("308 entries");
    }
  }

  private static void look(Witnesses witnesses, Sql sql) throws Exception {
    sql.update("UPDATE log_witness_round SET begun = begun - interval '1 hour'");
    Duration _ = witnesses.look();
  }
}
