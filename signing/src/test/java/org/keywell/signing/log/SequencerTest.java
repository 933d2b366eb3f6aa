package org.keywell.signing.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.testkit.ManualTime;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogReader;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TreeHash;

@Tag("postgresql")
@Timeout(120)
final class SequencerTest {

  private static final String ORIGIN = "test.example/log";

  private final ManualTime time = new ManualTime();
  private final KeyPair pair = keyPair();
  private final NoteKey verifier = NoteKey.of(ORIGIN, pair.getPublic());
  private HikariDataSource dataSource;
  private HikariDataSource superuser;
  private LogTables tables;
  private LogWriter writer;
  private Sequencer sequencer;
  private boolean signs = true;

  @BeforeEach
  void open() {
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    dataSource = database.asService().dataSource();
    superuser = database.dataSource();
    tables = new LogTables(dataSource);
    tables.begin(ORIGIN);
    writer = LogWriter.on(time);
    sequencer = sequencer(writer);
  }

  @AfterEach
  void close() {
    superuser.close();
    dataSource.close();
  }

  private Sequencer sequencer(LogWriter of) {
    return sequencer(of, System::nanoTime);
  }

  private Sequencer sequencer(LogWriter of, LongSupplier nanoClock) {
    Sequencer one = new Sequencer(tables, ORIGIN, of.leaves(), nanoClock);
    one.add(
        new CheckpointSigner(
            verifier,
            text ->
                signs
                    ? Optional.of(new NoteSignature(ORIGIN, verifier.id(), sign(text)))
                    : Optional.empty()));
    return one;
  }

  private static KeyPair keyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] sign(String text) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate());
      signature.update(text.getBytes(StandardCharsets.UTF_8));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private UUID add() {
    UUID id = UUID.randomUUID();
    tables.tell(writer, LogEntry.of("request", id));
    return id;
  }

  private byte[] checkpoint() {
    return Objects.requireNonNull(tables.head().checkpoint());
  }

  private Sql sql() {
    return new Sql(superuser);
  }

  /**
   * The checkpoint holds what {@link LogReader} reads, entry by entry, and the log's key signed it.
   */
  private Checkpoint verified() throws IOException {
    SignedNote note = SignedNote.parse(checkpoint());
    assertThat(note.signedBy(List.of(verifier))).containsExactly(verifier);
    Checkpoint checkpoint = Checkpoint.parse(note.text());
    List<byte[]> entries = new ArrayList<>();
    new LogReader(tables.tiles(), (index, entry) -> entries.add(entry)).read(checkpoint, List.of());
    assertThat(entries).hasSize(Math.toIntExact(checkpoint.size()));
    return checkpoint;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 255, 256, 257, 700})
  void theTreeGrowsByWhatIsCommittedAndIsSigned(int entries) throws Exception {
    for (int i = 0; i < entries; i++) {
      add();
    }
    Duration _ = sequencer.look();
    assertThat(verified().size()).isEqualTo(entries);
    add();
    Duration _ = sequencer.look();
    assertThat(verified().size()).isEqualTo(entries + 1);
    assertThat(sequencer.unsigned()).isZero();
  }

  /** A restored database lacks it, and the next start finds that out by the token. */
  @ParameterizedTest
  @CsvSource({
    "revocation, reason, keyCompromise", "managed-object, operation, Revoke",
    "managed-object, operation, Destroy", "command, command, xks disable",
    "command, command, xks restrict", "command, command, xks destroy"
  })
  void aTokenSoonKnowsOfWhatARestoreMustNotUndo(String type, String member, String value) {
    FakeHsm hsm = new FakeHsm();
    TokenHead head = new TokenHead("first", hsm::data, hsm::keepData, ORIGIN);
    Sequencer one = sequencer(writer, time);
    one.add(head);
    tables.tell(
        writer, LogEntry.of("managed-object").text("operation", "Get \"type\":\"revocation\""));
    Duration _ = one.look();
    time.advance(Sequencer.SHOWN_SOON);
    Duration _ = one.look();
    assertThat(head.read()).isEmpty();

    tables.tell(writer, LogEntry.of(type).text(member, value));
    Duration _ = one.look();
    assertThat(head.read().orElseThrow().size()).isEqualTo(2);

    tables.tell(writer, LogEntry.of(type).text(member, value));
    Duration _ = one.look();
    assertThat(head.read().orElseThrow().size()).as("not more often").isEqualTo(2);
    time.advance(Sequencer.SHOWN_SOON);
    Duration _ = one.look();
    assertThat(head.read().orElseThrow().size()).isEqualTo(3);
  }

  /** 256 * 256 leaves: the first hash of level 2. */
  @Test
  void hashesOfAllLevelsAreThere() throws Exception {
    sql()
        .update(
            "INSERT INTO log_pending (entry)"
                + " SELECT convert_to(n::text, 'UTF8') FROM generate_series(1, 66000) AS n");
    while (sequencer.look().isZero()) {}
    assertThat(verified().size()).isEqualTo(66_000);
    assertThat(sql().count("SELECT count(*) FROM log_node WHERE level = 2")).isEqualTo(1);

    Sequencer restarted = sequencer(writer);
    restarted.start(false);
    add();
    await().until(() -> verified().size() == 66_001);
    assertThat(restarted.end(Duration.ofSeconds(20))).isTrue();
    assertThat(restarted.damage()).isEmpty();
  }

  @Test
  void severalSequencersAndWritersMakeOneTree() throws Exception {
    long each = 300;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> work = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        work.add(
            threads.submit(() -> {
              for (int n = 0; n < each; n++) {
                add();
              }
            }));
      }
      List<Sequencer> sequencers = List.of(sequencer, sequencer(writer));
      for (Sequencer one : sequencers) {
        work.add(
            threads.submit(() -> {
              while (tables.head().size() < 2 * each) {
                Duration _ = one.look();
              }
            }));
      }
      for (Future<?> one : work) {
        one.get();
      }
      for (Sequencer one : sequencers) {
        Duration _ = one.look();
        assertThat(one.damage()).isEmpty();
      }
    }
    assertThat(verified().size()).isEqualTo(2 * each);
    time.advance(Sequencer.PATIENCE);
    Duration _ = sequencer.look();
    assertThat(sequencer.missing()).isZero();
  }

  /** It holds the lock; the server ends its transaction. */
  @Test
  void oneThatStandsStillDoesNotStopTheOthers() throws Exception {
    add();
    try (Connection frozen = dataSource.getConnection()) {
      frozen.setAutoCommit(false);
      try (var statement = frozen.createStatement()) {
        statement.execute("SET LOCAL idle_in_transaction_session_timeout = '2s'");
        statement.execute("SELECT size FROM log_tree FOR UPDATE");
        statement.execute("DELETE FROM log_pending");
      }
      Duration _ = sequencer.look();
      assertThat(tables.head().size()).isZero();

      await()
          .until(() -> {
            Duration _ = sequencer.look();
            return tables.head().size() == 1;
          });
      assertThatExceptionOfType(SQLException.class).isThrownBy(frozen::commit);
    }
    assertThat(verified().size()).isEqualTo(1);
  }

  /** It signs what it had committed before, which is an earlier size of the same tree. */
  @Test
  void anOlderCheckpointReplacesNoNewerOne() throws Exception {
    add();
    Duration _ = sequencer.look();
    byte[] earlier = checkpoint();
    add();
    Duration _ = sequencer.look();

    tables.keep(1, earlier);

    assertThat(verified().size()).isEqualTo(2);
  }

  @Test
  void theTreeGrowsUnsignedWhileNoDeviceSigns() throws Exception {
    signs = false;
    add();
    assertThatExceptionOfType(CheckpointUnsignedException.class).isThrownBy(sequencer::look);
    assertThat(tables.head().size()).isEqualTo(1);
    assertThat(sequencer.unsigned()).isEqualTo(1);

    signs = true;
    Duration _ = sequencer.look();
    assertThat(verified().size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM log_pending",
        "UPDATE log_pending SET entry = 'another'",
      })
  void whatIsAlteredWhileItWaitsIsMissed(String alteration) throws Exception {
    add();
    sql().update(alteration);
    Duration _ = sequencer.look();
    assertThat(sequencer.missing()).as("not yet: it may still wait").isZero();

    time.advance(Sequencer.PATIENCE);
    Duration _ = sequencer.look();

    assertThat(sequencer.missing()).isEqualTo(1);
    Duration _ = sequencer.look();
    assertThat(sequencer.missing()).as("told once").isEqualTo(1);
  }

  /** The other instance is slow, that is all. */
  @Test
  void whatWaitsIsNotMissed() throws Exception {
    add();
    time.advance(Sequencer.PATIENCE.multipliedBy(2));
    Duration _ = sequencer.look();
    assertThat(sequencer.missing()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE log_tree SET root = sha256('another')",
        "UPDATE log_tree SET size = 1, checkpoint_size = 1",
        "UPDATE log_tree SET size = 0, root = sha256(''), checkpoint_size = NULL",
        "UPDATE log_tree SET size = 3",
        "DELETE FROM log_tree",
      })
  void aTreeThatDoesNotContinueTheKnownOneIsDamage(String alteration) throws Exception {
    add();
    add();
    Duration _ = sequencer.look();
    assertThat(sequencer.damage()).isEmpty();
    sql().update(alteration);
    add();

    Duration _ = sequencer.look();

    assertThat(sequencer.damage()).isNotEmpty();
  }

  /** Another one's leaves are verified as they come. */
  @Test
  void aTailReplacedWhileAnotherSequencedIsDamage() throws Exception {
    add();
    Duration _ = sequencer.look();
    Sequencer other = sequencer(LogWriter.on(time));
    add();
    Duration _ = other.look();
    sql().update("UPDATE log_entry SET leaf = sha256('another') WHERE index = 1");

    Duration _ = sequencer.look();

    assertThat(sequencer.damage()).isNotEmpty();
  }

  /** Another thread, or another instance, may be quicker than the one that has committed. */
  @Test
  void whatIsIntegratedBeforeItsWriterHearsOfTheCommitIsNotMissed() throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      List<TreeHash> leaves =
          writer.add(connection, List.of(LogEntry.of("request", UUID.randomUUID())));
      connection.commit();
      Duration _ = sequencer.look();
      writer.committed(leaves);
      connection.setAutoCommit(true);
    }
    time.advance(Sequencer.PATIENCE);
    Duration _ = sequencer.look();
    assertThat(tables.head().size()).isEqualTo(1);
    assertThat(sequencer.missing()).isZero();
  }

  /** A commit may take longer than the sequencer's patience. */
  @Test
  void whatIsNotCommittedYetIsNotMissed() throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      List<TreeHash> leaves =
          writer.add(connection, List.of(LogEntry.of("request", UUID.randomUUID())));
      time.advance(Sequencer.PATIENCE.multipliedBy(2));
      Duration _ = sequencer.look();
      assertThat(sequencer.missing()).isZero();
      connection.rollback();
      writer.rolledBack(leaves);
      connection.setAutoCommit(true);
    }
    assertThat(writer.leaves().olderThan(Duration.ZERO)).isEmpty();
  }

  /** Whose transaction was not acknowledged is logged by that transaction alone. */
  @Test
  void whatIsRolledBackIsNotLogged() throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      writer.add(connection, List.of(LogEntry.of("request", UUID.randomUUID())));
      connection.rollback();
      connection.setAutoCommit(true);
    }
    Duration _ = sequencer.look();
    assertThat(tables.head().size()).isZero();
  }
}
