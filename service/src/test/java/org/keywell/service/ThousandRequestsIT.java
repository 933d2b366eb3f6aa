package org.keywell.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.service.running.HttpApi;
import org.keywell.service.running.KeyStock;
import org.keywell.service.running.KeywellProcess;
import org.keywell.service.running.RunningKeywell;
import org.keywell.service.running.Settings;
import org.keywell.service.running.SignedAnswer;
import org.keywell.service.running.Sql;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;

/** The main job, on real parts, often enough to see every key go. */
final class ThousandRequestsIT {

  private static final int REQUESTS = 1_000;
  private static final int STOCK = REQUESTS + 30;

  @TempDir Path home;

  @Test
  void eachRequestHasAKeyOfItsOwnAndLeavesNoneBehind() throws Exception {
    SoftHsmToken token = SoftHsmToken.create();
    Database database = PostgresForTests.newDatabase();
    KeyStock.add(token, database, KeySpec.RSA_2048, STOCK);
    Map<String, String> settings = Settings.of(token, database, home, Map.of());
    // In a process of its own: SunPKCS11 keeps copies of the CA keys that it made, and this test
    // counts each private key.
    try (KeywellProcess bootstrap =
        KeywellProcess.start(settings, home.resolve("bootstrap.log"), "bootstrap")) {
      assertThat(bootstrap.awaitExit()).as(bootstrap.log()).isZero();
    }
    try (RunningKeywell keywell = RunningKeywell.start(settings);
        HikariDataSource dataSource = database.dataSource()) {

      Set<String> publicKeys = new HashSet<>();
      for (int i = 0; i < REQUESTS; i++) {
        publicKeys.add(signAndVerify(keywell.http(), "document " + i));
      }

      assertThat(publicKeys).hasSize(REQUESTS);
      long loaded = keywell.loaded(KeySpec.RSA_2048);
      assertThat(keywell.part(WrappedKeyStore.class).count(KeySpec.RSA_2048) + loaded)
          .as("keys left in both tiers")
          .isEqualTo(STOCK - REQUESTS);
      assertThat(keywell.part(Hsm.class).countLiveKeys())
          .as("private keys live in the HSM, counted through PKCS#11")
          .isEqualTo(loaded);
      assertComplete(new Sql(dataSource));
    }
  }

  private static String signAndVerify(HttpApi http, String document)
      throws IOException, InterruptedException, GeneralSecurityException {
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    String digest =
        Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    HttpApi.Answer answer =
        http.sign(
            """
            {"digestAlgorithm": "SHA-256", "digest": "%s",
             "signer": {"commonName": "Astrid Exempel", "country": "SE"}}
            """
                .formatted(digest));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer signed = SignedAnswer.of(answer);
    assertThat(signed.preGenerated()).isTrue();
    signed.verify("SHA256withRSA", bytes);
    return Base64.getEncoder().encodeToString(signed.publicKey().getEncoded());
  }

  private static void assertComplete(Sql sql) throws SQLException {
    assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
        .isEqualTo(REQUESTS);
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM sign_request
                WHERE request_received <= request_start_to_process
                  AND request_start_to_process <= request_got_key_pair
                  AND request_got_key_pair <= signed AND signed <= certified
                  AND certified <= key_destroyed AND key_destroyed <= request_finished
                  AND destruction_return_value = 0 AND pre_generated AND key_id IS NOT NULL
                  AND waiting_time_micros >= 0 AND process_time_micros > 0
                """))
        .isEqualTo(REQUESTS);
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM thesis_sign_request
                WHERE num_nulls("requestID", "toBeSignedBytes", "signatureBytes",
                  "requestReceivedTimeStamp", "requestStartToprocessTimeStamp",
                  "requestFinishedTimeStamp", "certificateBytes", "date", "timestamp",
                  "processTime", "requestGetKeyPairTimeStamp", "waitingTime") = 0
                  AND "preGeneratedKeyPair" = 1 AND "status" = 'signed'
                """))
        .isEqualTo(REQUESTS);
    assertThat(sql.count("SELECT count(DISTINCT certificate_serial) FROM sign_request"))
        .isEqualTo(REQUESTS);
  }
}
