package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Sql;

/** Rule 4: write access to the database does not get anyone a certificate for their own key. */
final class SwappedPublicKeyIT {

  private static final int STOCK = 8;
  private static final int BARRED = 3;

  @TempDir Path home;

  @Test
  void noCertificateForAKeyThatDidNotSign() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.RSA_2048, STOCK);
      Sql sql = site.sql();
      // What is no key at all, the database takes from the table's owner only.
      sql.update("ALTER TABLE pool_key DROP CONSTRAINT pool_key_one_encoding");
      List<String> ids = sql.texts("SELECT id FROM pool_key ORDER BY id");
      setPublicKey(sql, ids.get(0), attackersKey("RSA", null));
      swap(sql, ids.get(1), ids.get(2));
      setPublicKey(sql, ids.get(4), attackersKey("EC", "secp256r1"));
      setPublicKey(sql, ids.get(5), new byte[] {0x30, 0x03, 0x02, 0x01, 0x00});
      setPublicKey(sql, ids.get(6), new byte[0]);

      try (RunningKeywell keywell =
          RunningKeywell.start(site.settings(Settings.pool(KeySpec.RSA_2048, STOCK)))) {
        keywell.awaitLoaded(KeySpec.RSA_2048, STOCK - BARRED);
        assertThat(keywell.scrape().value("keywell_keys_barred_total", "key_spec", "RSA-2048"))
            .as("another kind of key, no key at all, and nothing")
            .isEqualTo(BARRED);
        assertRefused(keywell, sql, ids.get(0), "an attacker's RSA key");
        assertRefused(keywell, sql, ids.get(1), "the next row's key");
        assertRefused(keywell, sql, ids.get(2), "the row before's key");
        assertSigned(keywell, sql, ids.get(3));
        assertSigned(keywell, sql, ids.get(7));
      }
      assertThat(sql.count("SELECT count(*) FROM claimed_key")).as("keys on the ledger").isZero();
    }
  }

  private static void assertRefused(RunningKeywell keywell, Sql sql, String keyId, String swapped)
      throws Exception {
    UUID requestId = UUID.randomUUID();
    SignBody body = SignBody.of("to be refused").requestId(requestId);
    HttpApi.Answer answer = keywell.http().sign(body);

    assertThat(answer.problem()).as(swapped).isEqualTo("key-refused");
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body().has("signature")).isFalse();
    assertThat(
            sql.texts(
                """
                SELECT concat_ws(' ', status, failure, destruction_return_value, key_id,
                  num_nonnulls(signature, certificate, certificate_serial, public_key_sha256))
                FROM sign_request WHERE request_id = '%s'
                """
                    .formatted(requestId)))
        .as(swapped)
        .containsExactly("failed key-refused 0 " + keyId + " 0");
    assertThat(keywell.http().sign(body).problem()).as("repeated").isEqualTo("key-refused");
    assertThat(keywell.http().result(requestId).problem()).isEqualTo("key-refused");
    keywell.assertNoKeyButLoaded();
  }

  private static void assertSigned(RunningKeywell keywell, Sql sql, String keyId) throws Exception {
    UUID requestId = UUID.randomUUID();
    HttpApi.Answer answer = keywell.http().sign(SignBody.of("honest").requestId(requestId));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer.of(answer).verify("SHA256withRSA", "honest".getBytes(StandardCharsets.UTF_8));
    assertThat(sql.text("SELECT key_id FROM sign_request WHERE request_id = '" + requestId + "'"))
        .isEqualTo(keyId);
    keywell.assertNoKeyButLoaded();
  }

  private static byte[] attackersKey(String algorithm, @Nullable String curve) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (curve == null) {
      generator.initialize(2048);
    } else {
      generator.initialize(new ECGenParameterSpec(curve));
    }
    return generator.generateKeyPair().getPublic().getEncoded();
  }

  private static void setPublicKey(Sql sql, String id, byte[] publicKey) throws SQLException {
    sql.update(
        "UPDATE pool_key SET public_key = '\\x%s' WHERE id = %s"
            .formatted(HexFormat.of().formatHex(publicKey), id));
  }

  /** In three steps: the unique index is checked row by row. */
  private static void swap(Sql sql, String one, String other) throws SQLException {
    String first = sql.text("SELECT public_key FROM pool_key WHERE id = " + one);
    String second = sql.text("SELECT public_key FROM pool_key WHERE id = " + other);
    setPublicKey(sql, one, new byte[] {1});
    sql.update("UPDATE pool_key SET public_key = '%s' WHERE id = %s".formatted(first, other));
    sql.update("UPDATE pool_key SET public_key = '%s' WHERE id = %s".formatted(second, one));
  }
}
