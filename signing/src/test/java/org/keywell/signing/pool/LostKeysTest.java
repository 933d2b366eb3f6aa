package org.keywell.signing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.ca.Subject;
import org.keywell.ca.token.ThrowAwayCa;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.ExpectedKeys;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyUse;
import org.keywell.signing.database.WrappingKeyUse.Kind;
import org.keywell.signing.database.WrappingKeyUses;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;

/** What is named of a token that was emptied or restored, and what is not. */
@Tag("postgresql")
final class LostKeysTest {

  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
  private static final String OLD = "keywell-wrapping:01";
  private static final String NEW = "keywell-wrapping:02";

  private static final NoteKey LOG =
      new NoteKey("log.example/log", NoteKey.Type.ED25519, new byte[32]);

  private final HikariDataSource dataSource = PostgresForTests.newDatabase().dataSource();
  private final Sql sql = new Sql(dataSource);
  private final WrappingKeyUses uses = new WrappingKeyUses(dataSource);
  private final WrappingKeyRotations rotations = new WrappingKeyRotations(dataSource);
  private final X509Certificate before = ca(NOW.minus(Duration.ofHours(20)));

  @AfterEach
  void close() {
    dataSource.close();
  }

  private static X509Certificate ca(Instant from) {
    return ThrowAwayCa.inMemory(Subject.ofCommonName("Issuing CA"), from, new SecureRandom())
        .chain()
        .getFirst();
  }

  private LostKeys keys(boolean creates, boolean accepted, LostKeys.Present present) {
    return new LostKeys(
        () -> present,
        new ExpectedKeys(dataSource),
        uses,
        rotations,
        "a",
        new LostKeys.Told(creates, accepted),
        InstantSource.fixed(NOW));
  }

  private LostKeys.Present present(String... wrappingKeys) {
    return new LostKeys.Present(
        List.of(new LostKeys.Token("hsm", "token", _ -> true, List.of(wrappingKeys), _ -> false)),
        true,
        List.of(before),
        Optional.of("managed:01"),
        List.of(LOG));
  }

  private void ranWith(String instance, String token, String key) {
    uses.report(instance, List.of(new WrappingKeyUse(instance, "hsm", token, key, Kind.WRAPS)));
  }

  private List<String> found(LostKeys.Present present) {
    LostKeys keys = keys(false, false, present);
    keys.check();
    return keys.found();
  }

  private void addXksKey() throws SQLException {
    assertThat(
            sql.update(
                """
                INSERT INTO xks_key (name, token_id, key_check, can_encrypt, can_decrypt, state)
                VALUES ('volumes', decode(repeat('00', 16), 'hex'), '', true, true, 'enabled')
                """))
        .isOne();
  }

  private void addCa(X509Certificate ca) throws Exception {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO ca_chain VALUES (?, ?)")) {
      insert.setBytes(1, ca.getSerialNumber().toByteArray());
      insert.setArray(2, connection.createArrayOf("bytea", new byte[][] {ca.getEncoded()}));
      assertThat(insert.executeUpdate()).isOne();
    }
  }

  @Test
  void aFirstStartLacksNothing() {
    assertThat(found(present(NEW))).isEmpty();
    keys(true, false, present(NEW)).check();
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> keys(true, true, present(NEW)).check())
        .withMessageContaining("remove it");
  }

  @Test
  void anEmptiedTokenThatGotANewKeyIsRefusedUnlessTold() {
    ranWith("a", "emptied", OLD);

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> keys(true, false, present(NEW)).check())
        .withMessageStartingWith("the token of device hsm lacks wrapping key " + OLD)
        .withMessageContaining("keywell.hsm.accept-lost-keys=true");

    LostKeys told = keys(true, true, present(NEW));
    told.check();
    assertThat(told.found()).hasSize(1);
    assertThat(found(present(NEW))).as("named only, where nothing can have been made").hasSize(1);
  }

  @Test
  void whatWasMeantToGoIsNotLost() {
    ranWith("a", "token", OLD);
    LostKeys.Present otherLabel =
        new LostKeys.Present(
            List.of(new LostKeys.Token("hsm", "token", _ -> false, List.of(NEW), _ -> false)),
            true,
            List.of(before),
            Optional.empty(),
            List.of());
    assertThat(found(otherLabel)).as("of another label").isEmpty();

    rotations.note(new Rotation(OLD, "keywell-wrapping~2:02", Rotation.Step.DONE));
    assertThat(found(present("keywell-wrapping~2:02"))).as("rotated").isEmpty();
  }

  @Test
  void keysThatClientsRelyOnAreNamed() throws Exception {
    addXksKey();
    ranWith("a", "token", NEW);

    assertThat(found(present(NEW)))
        .containsExactly("no token has these keys of the external key store: volumes");
  }

  @Test
  void aTokenFromBeforeARenewalLacksTheNewerIssuingKey() throws Exception {
    X509Certificate renewed = ca(NOW.minus(Duration.ofHours(1)));
    addCa(before);
    addCa(ca(NOW.minus(Duration.ofHours(30))));
    assertThat(found(present(NEW))).as("an older one may have ended").isEmpty();

    addCa(renewed);

    assertThat(found(present(NEW)))
        .singleElement()
        .asString()
        .contains(renewed.getSerialNumber().toString(16));
  }

  @Test
  void aTokenFromBeforeTheLogsKeyLacksIt() throws Exception {
    sign(LOG.id());
    assertThat(found(present(NEW))).isEmpty();

    sign(LOG.id(), 0x1234);

    assertThat(found(present(NEW)))
        .containsExactly("no token has the log's key 00001234, which signed the latest checkpoint");
  }

  private void sign(int... keys) throws SQLException {
    List<NoteSignature> signatures =
        Arrays.stream(keys)
            .mapToObj(id -> new NoteSignature(LOG.name(), id, new byte[] {1}))
            .toList();
    String text = new Checkpoint(LOG.name(), 0, Checkpoint.ofEmptyTree(LOG.name()).root()).text();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO log_tree (origin, size, root, checkpoint_size, checkpoint)
                VALUES (?, 0, decode(repeat('00', 32), 'hex'), 0, ?)
                ON CONFLICT (the_only) DO UPDATE SET checkpoint = EXCLUDED.checkpoint
                """)) {
      insert.setString(1, LOG.name());
      insert.setBytes(2, new SignedNote(text, signatures).bytes());
      assertThat(insert.executeUpdate()).isOne();
    }
  }

  @Test
  void theLastDeviceThatComesShowsWhatIsLost() throws Exception {
    addXksKey();
    LostKeys.Present all = present(NEW);
    AtomicBoolean isOpen = new AtomicBoolean();
    LostKeys keys =
        new LostKeys(
            () ->
                new LostKeys.Present(
                    all.tokens(),
                    isOpen.get(),
                    all.cas(),
                    all.managedWrappingKeyId(),
                    all.logKeys()),
            new ExpectedKeys(dataSource),
            uses,
            rotations,
            "a",
            new LostKeys.Told(false, false),
            InstantSource.fixed(NOW));
    keys.check();
    assertThat(keys.found()).isEmpty();

    isOpen.set(true);
    keys.checkWithLateDevice();
    keys.checkWithLateDevice();

    assertThat(keys.found()).hasSize(1);
  }

  /** They may be in tokens of theirs, or in the one that is late. */
  @Test
  void nothingIsSaidOfKeysThatOtherTokensMayHave() throws Exception {
    addXksKey();
    LostKeys.Present all = present(NEW);
    assertThat(
            found(
                new LostKeys.Present(
                    all.tokens(), false, all.cas(), all.managedWrappingKeyId(), all.logKeys())))
        .isEmpty();

    ranWith("b", "another token", OLD);
    assertThat(found(all)).isEmpty();
  }
}
