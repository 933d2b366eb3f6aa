package org.keywell.service.reapply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.State;
import org.keywell.kmip.store.InTransaction;
import org.keywell.kmip.store.ObjectStore;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.keywell.tlog.TreeHash;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.XksKey;
import org.keywell.xks.store.XksKeys;

/** A database as a backup has it, and a copy of the log from after the backup. */
@Tag("postgresql")
@Timeout(60)
final class ReapplyTest {

  private static final String ORIGIN = "sign.example.org/log";
  private static final String LIST = "00112233445566778899aabbccddeeff00112233/2026-03-01.crl";
  private static final String KNOWN =
      "{\"at\":\"2026-03-01T08:00:00.000000Z\",\"caller\":\"portal\",\"type\":\"start\",\"v\":1}";

  private static final HsmProperties NO_HSM =
      new HsmProperties(
          null,
          "keywell",
          null,
          null,
          null,
          "keywell-wrapping",
          null,
          16,
          1,
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ZERO,
          HsmProperties.Bootstrap.NEVER,
          false,
          null,
          List.of(),
          List.of());

  @TempDir private Path directory;
  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource administration = database.dataSource();
  private final HikariDataSource dataSource = database.asService().dataSource();
  private final Sql sql = new Sql(administration);
  private final XksKeys keys = new XksKeys(dataSource, "a");
  private final ObjectStore objects = new ObjectStore(dataSource, "a");
  private final UUID certificate = UUID.randomUUID();
  private final List<String> told = new ArrayList<>();
  private CopyForTests copy;

  @BeforeEach
  void backUp() throws Exception {
    copy = new CopyForTests(Files.createDirectory(directory.resolve("copy")), ORIGIN).add(KNOWN);
    try (Connection connection = administration.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                WITH key AS (INSERT INTO log_key (verifier_key) VALUES (?)),
                entry AS (INSERT INTO log_entry (index, leaf, entry) VALUES (0, ?, ?))
                INSERT INTO log_tree (origin, size, root) VALUES (?, 1, ?)
                """)) {
      byte[] entry = KNOWN.getBytes(StandardCharsets.UTF_8);
      statement.setString(1, copy.key().toString());
      statement.setBytes(2, TreeHash.ofLeaf(entry).bytes());
      statement.setBytes(3, entry);
      statement.setString(4, ORIGIN);
      statement.setBytes(5, TreeHash.ofLeaf(entry).bytes());
      statement.execute();
    }
    for (String name : List.of("disabled", "restricted", "enabled-again")) {
      byte[] id = new byte[16];
      id[0] = (byte) name.length();
      assertThat(keys.intend(name, id)).isTrue();
      assertThat(
              keys.create(
                  name,
                  new TokenAesKey(XksKey.label(name), id, new byte[8]),
                  KeyUsage.ENCRYPT_DECRYPT))
          .isTrue();
    }
    objects.insert(
        "Register",
        List.of(
            new ManagedObject(
                    certificate,
                    "portal",
                    ObjectType.CERTIFICATE,
                    State.ACTIVE,
                    new Attributes(List.of()),
                    new Material.Plain(new byte[] {1}))
                .stamped("Initial Date", Instant.now())),
        InTransaction.NOTHING);
  }

  @AfterEach
  void close() {
    dataSource.close();
    administration.close();
  }

  private CopyForTests revoked(int serial) {
    return copy.add(
        """
        {"at":"2026-03-01T12:00:00.000000Z","caller":"portal","instance":"a","list":"%s",\
        "reason":"keyCompromise","serial":"%x","type":"revocation","v":1}\
        """
            .formatted(LIST, serial));
  }

  private CopyForTests command(String command, String... made) {
    return copy.add(
        """
        {"at":"2026-03-01T12:00:00.000000Z","command":"%s","instance":"a","made":["%s"],\
        "type":"command","v":1}\
        """
            .formatted(command, String.join("\",\"", made)));
  }

  private CopyForTests object(String operation, UUID object) {
    return copy.add(
        """
        {"at":"2026-03-01T12:00:00.000000Z","caller":"portal","instance":"a","object":"%s",\
        "objectType":"Certificate","operation":"%s","type":"managed-object","v":1}\
        """
            .formatted(object, operation));
  }

  private String run(boolean apply) throws Exception {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    new Reapply(
            dataSource,
            "a",
            NO_HSM,
            (command, made) -> told.add(command + " " + made),
            InstantSource.system(),
            new PrintStream(shown, true, StandardCharsets.UTF_8))
        .run(directory.resolve("copy"), List.of(), apply);
    return shown.toString(StandardCharsets.UTF_8);
  }

  private void assertRefused(String why) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> run(true))
        .withMessageContaining(why);
    assertThat(revocations()).isZero();
  }

  private long revocations() {
    try {
      return sql.count("SELECT count(*) FROM revoked_certificate");
    } catch (java.sql.SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void listsWhatIsLostAndChangesNothing() throws Exception {
    revoked(7);
    command("xks disable", "disabled");
    object("Destroy", certificate).write();

    assertThat(run(false))
        .contains("Lost       revocation of 7", "xks disable disabled", "KMIP Destroy")
        .contains("3 to put back; nothing was changed");

    assertThat(revocations()).isZero();
    assertThat(keys.find("disabled").orElseThrow().state()).isEqualTo(XksKey.State.ENABLED);
    assertThat(told).isEmpty();
  }

  @Test
  void putsBackEachOnceAndTellsTheLog() throws Exception {
    revoked(7);
    revoked(8);
    command("xks disable", "disabled");
    command("xks restrict", "restricted", "decrypt");
    command("xks disable", "enabled-again");
    command("xks enable", "enabled-again");
    object("Revoke", certificate);
    object("Destroy", certificate).write();
    long before = sql.count("SELECT count(*) FROM log_pending");

    assertThat(run(true)).contains("6 put back");

    assertThat(sql.texts("SELECT revoked_at AT TIME ZONE 'UTC' FROM revoked_certificate"))
        .as("with their first time")
        .containsExactly("2026-03-01 12:00:00", "2026-03-01 12:00:00");
    assertThat(keys.find("disabled").orElseThrow().state()).isEqualTo(XksKey.State.DISABLED);
    assertThat(keys.find("restricted").orElseThrow().usage()).isEqualTo(KeyUsage.DECRYPT);
    assertThat(keys.find("enabled-again").orElseThrow().state()).isEqualTo(XksKey.State.ENABLED);
    assertThat(objects.require("portal", certificate).state()).isEqualTo(State.DESTROYED);
    assertThat(sql.count("SELECT count(*) FROM log_pending") - before).isEqualTo(4);
    assertThat(told)
        .containsExactly("xks disable [disabled]", "xks restrict [restricted, decrypt]");
    assertThat(run(true)).contains("nothing to put back");
    assertThat(sql.count("SELECT count(*) FROM log_pending") - before).isEqualTo(4);
    assertThat(told).hasSize(2);
  }

  @Test
  void allowsNothingThatTheDatabaseForbids() throws Exception {
    assertThat(keys.change("restricted", XksKey.State.ENABLED, KeyUsage.ENCRYPT)).isTrue();
    assertThat(keys.change("disabled", XksKey.State.ENABLED, KeyUsage.DECRYPT)).isTrue();
    command("xks restrict", "restricted", "decrypt");
    command("xks restrict", "disabled", "encrypt,decrypt").write();

    assertThat(run(true)).contains("1 put back");

    assertThat(keys.find("restricted").orElseThrow().usage()).isEqualTo(KeyUsage.NONE);
    assertThat(keys.find("disabled").orElseThrow().usage()).isEqualTo(KeyUsage.DECRYPT);
    assertThat(told).containsExactly("xks restrict [restricted, none]");
  }

  @Test
  void namesWhatItCannotPutBack() throws Exception {
    command("xks restrict", "restricted");
    command("xks disable", "made-after-the-backup");
    object("Destroy", UUID.randomUUID()).write();

    assertThat(run(true))
        .contains("By hand    xks restrict restricted", "the entry does not say to what")
        .contains("By hand    xks disable made-after-the-backup", "has no such key")
        .contains("has no such object", "nothing to put back");
  }

  @Test
  void believesNoCopyThatTheLogsKeyHasNotSigned() throws Exception {
    CopyForTests ours = copy;
    copy = new CopyForTests(directory.resolve("copy"), ORIGIN).add(KNOWN);
    revoked(7).write();
    assertRefused("not signed");

    copy = ours;
    revoked(7).write();
    copy.spoil("\"serial\":\"7\"", "\"serial\":\"8\"");
    assertRefused("does not have the hash");
  }

  @Test
  void believesNoCopyOfAnotherLog() throws Exception {
    copy = new CopyForTests(directory.resolve("copy"), "other.example/log").add(KNOWN);
    revoked(7).write();
    assertRefused("of the log other.example/log");
  }
}
