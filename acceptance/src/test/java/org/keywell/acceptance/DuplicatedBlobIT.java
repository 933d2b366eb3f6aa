package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.record.archive.Archive;
import org.keywell.signing.record.archive.Progress;
import org.keywell.testkit.Await;
import org.keywell.testkit.Sql;

/** Rule 1 against copies: no row that comes back lets a key sign for a second request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DuplicatedBlobIT {

  private Site site;
  private Sql sql;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    sql = site.sql();
    keywell = RunningKeywell.start(site.settings(Settings.pool(KeySpec.RSA_2048, 10)));
  }

  @AfterAll
  void stop() {
    keywell.close();
    site.close();
  }

  /** One row, in SQL that inserts it again. */
  private record Backup(String id, String publicKey, String blob, String wrappingKeyId) {

    String restore() {
      return restoreAs(id, publicKey);
    }

    String restoreAs(String otherId, String otherPublicKey) {
      return """
      INSERT INTO pool_key
        (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
      VALUES (%s, 'RSA-2048', '%s', 'AES-KWP', '%s', '%s')
      """
          .formatted(otherId, wrappingKeyId, otherPublicKey, blob);
    }
  }

  @Test
  void aBackupThatIsRestoredAfterUse() throws Exception {
    Backup backup = useOneKey();

    assertBarred(backup.restore());
    assertHonestKeySigns();
  }

  /** Its record is gone from the database; that it was used is not. */
  @Test
  void aBackupThatIsRestoredAfterItsRecordWasArchived() throws Exception {
    Backup backup = useOneKey();
    sql.update("UPDATE known_request SET request_received = request_received - interval '1 year'");
    sql.update("UPDATE sign_request SET request_received = request_received - interval '1 year'");
    try (HikariDataSource owner = site.database().asOwner().dataSource()) {
      new Archive(owner, site.home().resolve("archive"), new Progress(line -> {}, System::nanoTime))
          .run(YearMonth.now(ZoneOffset.UTC).minusMonths(2), Instant.now());
    }
    assertThat(sql.count("SELECT count(*) FROM sign_request")).isZero();

    assertBarred(backup.restore());
    assertHonestKeySigns();
  }

  @Test
  void aBackupUnderAnotherId() throws Exception {
    Backup backup = useOneKey();

    assertBarred(backup.restoreAs("default", backup.publicKey()));
    assertHonestKeySigns();
  }

  /** When the loader looks, neither is on record: the unique index has the last word. */
  @Test
  void aCopyThatIsLoadedBeforeTheKeyHasSigned() throws Exception {
    Backup backup = stockOneKey();
    awaitTaken();
    String copy = nextId();
    sql.update(backup.restoreAs(copy, backup.publicKey()));
    sign();

    UUID requestId = assertRefused("key-reused");
    assertThat(unusedCertificates(requestId)).as("issued before that was found").isOne();
    assertThat(
            sql.text(
                "SELECT withheld_key_id FROM sign_request WHERE request_id = '%s'"
                    .formatted(requestId)))
        .isEqualTo(copy);
    assertHonestKeySigns();
  }

  @Test
  void aBlobUnderAnotherPublicKey() throws Exception {
    Backup backup = useOneKey();
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);

    sql.update(
        backup.restoreAs("default", hex(generator.generateKeyPair().getPublic().getEncoded())));

    assertThat(unusedCertificates(assertRefused("key-refused"))).isZero();
    assertHonestKeySigns();
  }

  @Test
  void aBackupUnderItsOwnIdAndAnotherPublicKey() throws Exception {
    Backup backup = useOneKey();
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);

    assertBarred(
        backup.restoreAs(backup.id(), hex(generator.generateKeyPair().getPublic().getEncoded())));
    assertHonestKeySigns();
  }

  /** The same key in other octets has another hash. */
  @Test
  void aPublicKeyThatIsEncodedAnew() throws Exception {
    Backup backup = useOneKey();
    byte[] der = HexFormat.of().parseHex(backup.publicKey().substring(2));
    String longer = backup.restoreAs("default", hex(withLongerLength(der)));
    String indefinite = backup.restoreAs("default", hex(withIndefiniteLength(der)));
    assertThatThrownBy(() -> sql.update(longer)).hasMessageContaining("pool_key_one_encoding");
    assertThatThrownBy(() -> sql.update(indefinite)).hasMessageContaining("pool_key_one_encoding");

    // Who owns the table can take the check away.
    sql.update("ALTER TABLE pool_key DROP CONSTRAINT pool_key_one_encoding");
    assertBarred(longer);
    assertBarred(indefinite);
    assertHonestKeySigns();
  }

  /** Stores a key, has it used, and returns what a backup had kept of it. */
  private Backup useOneKey() throws Exception {
    Backup backup = stockOneKey();
    SignedAnswer answer = sign();
    assertThat(hex(answer.publicKey().getEncoded())).isEqualTo(backup.publicKey());
    return backup;
  }

  /** Makes a row without a moment at which the running loader could take it. */
  private Backup stockOneKey() throws Exception {
    Hsm hsm = keywell.part(Devices.class).first().hsm();
    var pair = hsm.generateExtractable(KeySpec.RSA_2048);
    var wrapped = hsm.wrap(pair);
    assertThat(hsm.destroy(pair.privateKey()).succeeded()).isTrue();
    String id = nextId();
    Backup backup =
        new Backup(
            id, hex(wrapped.publicKey()), hex(wrapped.wrappedPrivateKey()), hsm.wrappingKeyId());
    sql.update(backup.restore());
    return backup;
  }

  private String nextId() throws SQLException {
    return sql.text("SELECT nextval(pg_get_serial_sequence('pool_key', 'id'))");
  }

  /** The row's key is given up before the HSM sees it. */
  private void assertBarred(String insert) throws Exception {
    double before = keywell.scrape().value("keywell_keys_barred_total", "key_spec", "RSA-2048");
    double unwrapped = unwrapped();
    sql.update(insert);
    Await.until(
        "the key is barred",
        () ->
            keywell.scrape().value("keywell_keys_barred_total", "key_spec", "RSA-2048")
                == before + 1);
    assertThat(unwrapped()).isEqualTo(unwrapped);
    assertThat(ask(UUID.randomUUID()).problem()).isEqualTo("pool-empty");
    assertNoneSignedTwice();
  }

  private double unwrapped() throws Exception {
    return keywell
        .scrape()
        .value("keywell_load_seconds_count", "stage", "unwrap", "key_spec", "RSA-2048");
  }

  private long unusedCertificates(UUID requestId) throws SQLException {
    return sql.count(
        "SELECT count(*) FROM unused_certificate WHERE request_id = '%s'".formatted(requestId));
  }

  private UUID assertRefused(String problem) throws Exception {
    awaitTaken();
    UUID requestId = UUID.randomUUID();
    HttpApi.Answer answer = ask(requestId);
    assertThat(answer.problem()).as(answer.body().toString()).isEqualTo(problem);
    assertThat(answer.body().has("signature")).isFalse();
    assertThat(keywell.http().result(requestId).problem()).as("repeated").isEqualTo(problem);
    assertThat(
            sql.text(
                """
                SELECT concat_ws(' ', status, failure, destruction_return_value,
                  num_nonnulls(signature, signatures, public_key_sha256))
                FROM sign_request WHERE request_id = '%s'
                """
                    .formatted(requestId)))
        .isEqualTo("failed " + problem + " 0 0");
    assertNoneSignedTwice();
    return requestId;
  }

  private void assertNoneSignedTwice() throws SQLException {
    assertThat(
            sql.count(
                """
                SELECT count(*) - count(DISTINCT public_key_sha256) FROM sign_request
                WHERE status = 'signed'
                """))
        .as("signatures beyond the first of a key")
        .isZero();
    keywell.assertNoKeyButLoaded();
  }

  private void assertHonestKeySigns() throws Exception {
    useOneKey();
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).as("keys on the ledger").isZero();
  }

  private void awaitTaken() throws InterruptedException {
    Await.until(
        "the loader has taken the copy", () -> sql.count("SELECT count(*) FROM pool_key") == 0);
  }

  private SignedAnswer sign() throws Exception {
    awaitTaken();
    HttpApi.Answer answer = ask(UUID.randomUUID());
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer signed = SignedAnswer.of(answer);
    signed.verify("SHA256withRSA", "document".getBytes(StandardCharsets.UTF_8));
    return signed;
  }

  private HttpApi.Answer ask(UUID requestId) throws Exception {
    return keywell.http().sign(SignBody.of("document").requestId(requestId).deadlineMillis(20_000));
  }

  /** BER allows a length in more octets than it needs, DER does not: 30 82 … becomes 30 83 00 …. */
  private static byte[] withLongerLength(byte[] der) {
    byte[] ber = new byte[der.length + 1];
    ber[0] = der[0];
    ber[1] = (byte) 0x83;
    ber[2] = 0;
    System.arraycopy(der, 2, ber, 3, der.length - 2);
    return ber;
  }

  /** The RSAPublicKey within, 30 82 01 0a …, becomes 30 80 … 00 00 and two octets shorter. */
  private static byte[] withIndefiniteLength(byte[] der) {
    byte[] ber = new byte[der.length];
    System.arraycopy(der, 0, ber, 0, 24);
    ber[24] = 0x30;
    ber[25] = (byte) 0x80;
    System.arraycopy(der, 28, ber, 26, der.length - 28);
    return ber;
  }

  private static String hex(byte[] bytes) {
    return "\\x" + HexFormat.of().formatHex(bytes);
  }
}
