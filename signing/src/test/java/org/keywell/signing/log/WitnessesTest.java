package org.keywell.signing.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.settings.LogProperties;
import org.keywell.settings.OwnWitnessProperties;
import org.keywell.testkit.ManualTime;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TreeHash;

@Tag("postgresql")
@Timeout(120)
final class WitnessesTest {

  private static final String ORIGIN = "test.example/log";

  private final ManualTime time = new ManualTime();
  private final LogWriter writer = LogWriter.on(time);
  private final KeyPair pair;
  private final StubWitness east;
  private final StubWitness west;
  private HikariDataSource dataSource;
  private HikariDataSource superuser;
  private LogTables tables;
  private Sequencer sequencer;

  WitnessesTest() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    pair = generator.generateKeyPair();
    NoteKey verifier = NoteKey.of(ORIGIN, pair.getPublic());
    east = new StubWitness("east.example/w", verifier);
    west = new StubWitness("west.example/w", verifier);
  }

  @BeforeEach
  void open() throws Exception {
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    dataSource = database.asService().dataSource();
    superuser = database.dataSource();
    tables = new LogTables(dataSource);
    tables.begin(ORIGIN);
    sequencer = new Sequencer(tables, ORIGIN, writer.leaves(), System::nanoTime);
    NoteKey verifier = NoteKey.of(ORIGIN, pair.getPublic());
    sequencer.add(
        new CheckpointSigner(
            verifier,
            text -> Optional.of(new NoteSignature(ORIGIN, verifier.id(), signature(text)))));
  }

  private byte[] signature(String text) {
    try {
      Signature signer = Signature.getInstance("SHA256withECDSA");
      signer.initSign(pair.getPrivate());
      signer.update(text.getBytes(StandardCharsets.UTF_8));
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    superuser.close();
    dataSource.close();
    east.close();
    west.close();
  }

  private LogProperties settings(int quorum, StubWitness... witnesses) {
    return new LogProperties(
        ORIGIN,
        "keywell-log",
        false,
        Stream.of(witnesses).map(StubWitness::settings).toList(),
        quorum,
        new OwnWitnessProperties(null, "keywell-witness", List.of()));
  }

  private Witnesses asking(LogProperties settings) {
    CosignedTables cosigned = new CosignedTables(dataSource);
    return new Witnesses(
        tables, cosigned, new CosignedCheckpoints(cosigned, settings), settings, time);
  }

  private CosignedCheckpoints served(LogProperties settings) {
    return new CosignedCheckpoints(new CosignedTables(dataSource), settings);
  }

  /** The tree grows by so many entries, and is signed. */
  private void grow(int entries) {
    for (int i = 0; i < entries; i++) {
      tables.tell(writer, LogEntry.of("request", UUID.randomUUID()));
    }
    Duration _ = sequencer.look();
  }

  private void look(Witnesses witnesses) throws Exception {
    new Sql(superuser).update("UPDATE log_witness_round SET begun = begun - interval '1 hour'");
    assertThat(witnesses.look()).isEqualTo(Witnesses.PACE);
  }

  private static long size(Optional<SignedNote> note) {
    return Checkpoint.parse(note.orElseThrow().text()).size();
  }

  @Test
  void aCheckpointCarriesTheCosignaturesOfExactlyThisOne() throws Exception {
    LogProperties settings = settings(0, east, west);
    Witnesses witnesses = asking(settings);
    grow(3);
    look(witnesses);

    SignedNote newest = served(settings).newest(tables.head()).orElseThrow();
    assertThat(newest.signedBy(List.of(NoteKey.of(ORIGIN, pair.getPublic())))).hasSize(1);
    assertThat(newest.signedBy(List.of(east.key(), west.key()))).hasSize(2);

    grow(5);
    assertThat(served(settings).newest(tables.head()).orElseThrow().signatures()).hasSize(1);
    look(witnesses);
    assertThat(size(served(settings).witnessed().map(CosignedCheckpoints.Seen::note))).isEqualTo(8);
    assertThat(east.olds()).containsExactly(0L, 3L);
    assertThat(witnesses.contradiction()).isEmpty();
    assertThat(witnesses.waitingEntries()).isZero();
  }

  @Test
  void nothingNewIsNotOffered() throws Exception {
    Witnesses witnesses = asking(settings(0, east));
    grow(1);
    look(witnesses);
    look(witnesses);
    assertThat(east.olds()).hasSize(1);
  }

  @Test
  void aQuorumHoldsProofsBack() throws Exception {
    LogProperties settings = settings(2, east, west);
    Witnesses witnesses = asking(settings);
    grow(3);
    look(witnesses);
    west.answers(500);
    grow(2);
    look(witnesses);

    assertThat(size(served(settings).covering(0, tables.head()))).isEqualTo(3);
    assertThat(served(settings).covering(4, tables.head())).isEmpty();
    assertThat(size(served(settings(1, east, west)).covering(4, tables.head()))).isEqualTo(5);

    west.answers(0);
    time.advance(Duration.ofMinutes(1));
    look(witnesses);
    assertThat(size(served(settings).covering(4, tables.head()))).isEqualTo(5);
  }

  /** Two that cosign in turn, and never the same, are no quorum: each round offers one to all. */
  @Test
  void theOtherCosignatureIsFetchedLater() throws Exception {
    LogProperties settings = settings(2, east, west);
    Witnesses witnesses = asking(settings);
    grow(3);
    east.answers(503);
    look(witnesses);
    east.answers(0);
    west.answers(503);
    time.advance(Duration.ofMinutes(1));
    look(witnesses);

    assertThat(size(served(settings).covering(2, tables.head()))).isEqualTo(3);
  }

  @Test
  void withoutAQuorumTheMostCosignedIsChosenThatHasTheEntry() throws Exception {
    LogProperties settings = settings(0, east, west);
    Witnesses witnesses = asking(settings);
    grow(3);
    assertThat(served(settings).covering(2, tables.head()).orElseThrow().signatures()).hasSize(1);
    look(witnesses);
    west.answers(500);
    grow(2);
    look(witnesses);
    grow(1);

    assertThat(size(served(settings).covering(2, tables.head()))).isEqualTo(3);
    assertThat(size(served(settings).covering(3, tables.head()))).isEqualTo(5);
    assertThat(size(served(settings).covering(5, tables.head()))).isEqualTo(6);
    assertThat(served(settings).covering(6, tables.head())).isEmpty();
  }

  @Test
  void aWitnessThatIsBehindIsFollowed() throws Exception {
    Witnesses witnesses = asking(settings(0, east));
    grow(3);
    look(witnesses);
    Checkpoint atThree = east.latest();
    grow(3);
    look(witnesses);
    east.hasSeen(atThree);
    grow(1);

    look(witnesses);

    assertThat(east.latest().size()).isEqualTo(7);
    assertThat(east.olds()).containsExactly(0L, 3L, 6L, 3L);
    assertThat(witnesses.contradiction()).isEmpty();
  }

  /** The log was restored, or somebody else signs with its key. */
  @Test
  void aWitnessThatKnowsALargerTreeIsAlarming() throws Exception {
    Witnesses witnesses = asking(settings(0, east));
    grow(3);
    east.hasSeen(new Checkpoint(ORIGIN, 9, TreeHash.ofLeaf(new byte[] {1})));

    look(witnesses);

    assertThat(witnesses.contradiction().orElseThrow()).contains("9 entries", "the log has 3");
    assertThat(witnesses.states())
        .hasEntrySatisfying("east.example/w", state -> assertThat(state).contains("9 entries"));
  }

  @Test
  void aWitnessThatKnowsAnotherTreeIsAlarming() throws Exception {
    Witnesses witnesses = asking(settings(0, east));
    grow(3);
    east.hasSeen(new Checkpoint(ORIGIN, 2, TreeHash.ofLeaf(new byte[] {1})));

    look(witnesses);

    assertThat(witnesses.contradiction().orElseThrow()).contains("does not continue the 2 entries");
  }

  /** Its tables say that a witness has cosigned more than the tree has. */
  @Test
  void aRolledBackTreeIsAlarming() throws Exception {
    Witnesses witnesses = asking(settings(0, east));
    grow(3);
    look(witnesses);
    new Sql(superuser).update("UPDATE log_witness SET size = 4");
    grow(1);
    new Sql(superuser).update("UPDATE log_witness SET size = 5");

    look(witnesses);

    assertThat(witnesses.contradiction().orElseThrow()).contains("5 entries", "the log has 4");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatIsLeftOfARolledBackTreeProvesNothing(int quorum) throws Exception {
    LogProperties settings = settings(quorum, east);
    grow(3);
    look(asking(settings));
    new Sql(superuser)
        .update("UPDATE log_tree SET size = 1, checkpoint_size = NULL, checkpoint = NULL");

    assertThat(served(settings).covering(0, tables.head())).isEmpty();
    assertThat(served(settings).newest(tables.head())).isEmpty();
  }

  @Test
  void aForgedCosignatureIsNotKept() throws Exception {
    LogProperties settings = settings(1, east);
    Witnesses witnesses = asking(settings);
    east.forges();
    grow(1);

    look(witnesses);

    assertThat(served(settings).witnessed()).isEmpty();
    assertThat(witnesses.states().values().toString()).contains("does not verify");
  }

  @Test
  void whatWasChangedInTheTablesDoesNotCount() throws Exception {
    LogProperties settings = settings(1, east);
    grow(1);
    look(asking(settings));
    new Sql(superuser)
        .update(
            "UPDATE log_cosigned SET checkpoint = convert_to(replace(convert_from("
                + "checkpoint, 'UTF8'), E'\\n1\\n', E'\\n2\\n'), 'UTF8')");

    assertThat(served(settings).covering(0, tables.head())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 400, 403, 404, 500})
  void anyOtherAnswerIsAFailureThatPasses(int status) throws Exception {
    Witnesses witnesses = asking(settings(0, east));
    grow(1);
    east.answers(status);
    look(witnesses);
    assertThat(witnesses.states().get("east.example/w")).isNotEqualTo("cosigns");

    east.answers(0);
    look(witnesses);
    assertThat(east.olds()).as("not asked before the pause is over").hasSize(1);
    time.advance(Duration.ofMinutes(1));
    look(witnesses);
    assertThat(witnesses.states()).containsValue("cosigns");
  }

  @Test
  void oneInstanceAsksAtATime() throws Exception {
    LogProperties settings = settings(0, east);
    grow(1);
    Witnesses one = asking(settings);
    Witnesses other = asking(settings);
    look(one);
    grow(1);
    Duration _ = other.look();
    assertThat(east.olds()).hasSize(1);
    look(other);
    assertThat(east.olds()).containsExactly(0L, 1L);
  }

  @Test
  void aWitnessThatHangsHoldsUpNeitherTheOthersNorTheStop() throws Exception {
    LogProperties settings = settings(0, east, west);
    Witnesses witnesses = asking(settings);
    west.hangs();
    grow(1);
    witnesses.start();
    await().until(() -> served(settings).witnessed().isPresent());
    assertThat(size(served(settings).newest(tables.head()))).isEqualTo(1);
    grow(1);
    assertThat(tables.head().size()).isEqualTo(2);
    assertThat(witnesses.end(Duration.ofSeconds(3))).isTrue();
  }

  @Test
  void whatWaitsTooLongForAQuorumIsOverdue() throws Exception {
    Witnesses witnesses = asking(settings(1, east));
    east.answers(500);
    grow(1);
    look(witnesses);
    time.advance(Duration.ofSeconds(60));
    grow(1);
    look(witnesses);
    assertThat(witnesses.areOverdue()).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(witnesses.areOverdue()).isTrue();
    assertThat(witnesses.waitingEntries()).isEqualTo(2);

    east.answers(0);
    time.advance(Duration.ofMinutes(2));
    look(witnesses);
    assertThat(witnesses.areOverdue()).isFalse();
    assertThat(witnesses.waiting()).isZero();
  }

  /** A busy log always has entries that no witness has seen yet. */
  @Test
  void aLogThatIsWitnessedAsItGrowsIsNotOverdue() throws Exception {
    Witnesses witnesses = asking(settings(1, east));
    Unwitnessed unwitnessed = new Unwitnessed(time);
    for (int i = 1; i <= 20; i++) {
      unwitnessed.saw(10L * i, 10L * (i - 1));
      time.advance(Duration.ofSeconds(5));
    }
    assertThat(unwitnessed.age()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    assertThat(unwitnessed.entries()).isEqualTo(10);
    assertThat(witnesses.areOverdue()).isFalse();
  }
}
