package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeyStock;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.signing.hsm.Devices;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

/** The main job, on real parts, often enough to see every key go. */
final class ThousandRequestsIT {

  private static final int REQUESTS = 1_000;

  /** The others are for keys on a curve: to make RSA keys takes most of this test's time. */
  private static final int RSA_IN_TEN = 1;

  private static final Map<KeySpec, Integer> REQUESTS_OF =
      Map.of(
          KeySpec.RSA_2048, REQUESTS / 10 * RSA_IN_TEN,
          KeySpec.EC_P256, REQUESTS / 10 * (10 - RSA_IN_TEN));

  private static final int SPARE = 30;

  @TempDir Path home;

  @Test
  void eachRequestHasAKeyOfItsOwnAndLeavesNoneBehind() throws Exception {
    SoftHsmToken token = SoftHsmToken.create();
    Database database = PostgresForTests.newDatabase();
    for (Map.Entry<KeySpec, Integer> kind : REQUESTS_OF.entrySet()) {
      KeyStock.add(token, database, kind.getKey(), kind.getValue() + SPARE);
    }
    Map<String, String> settings =
        Settings.of(
            token,
            database,
            home,
            Map.of(
                "keywell.pool.specs.EC-P256.max-stored", "0",
                "keywell.pool.specs.EC-P256.loaded-capacity", "100",
                "keywell.pool.specs.EC-P256.low-water", "50",
                "keywell.pool.specs.EC-P256.batch-size", "25"));
    // In a process of its own: this test counts each private key.
    try (KeywellProcess bootstrap =
        KeywellProcess.start(settings, home.resolve("bootstrap.log"), "bootstrap")) {
      assertThat(bootstrap.awaitExit()).as(bootstrap.log()).isZero();
    }
    try (RunningKeywell keywell = RunningKeywell.start(settings);
        HikariDataSource dataSource = database.dataSource()) {

      Set<String> publicKeys = new HashSet<>();
      for (int i = 0; i < REQUESTS; i++) {
        KeySpec spec = i % 10 < RSA_IN_TEN ? KeySpec.RSA_2048 : KeySpec.EC_P256;
        publicKeys.add(signAndVerify(keywell.http(), spec, "document " + i));
      }

      assertThat(publicKeys).hasSize(REQUESTS);
      long loaded = 0;
      for (KeySpec spec : REQUESTS_OF.keySet()) {
        loaded += keywell.loaded(spec);
        assertThat(keywell.part(WrappedKeyStore.class).count(spec) + keywell.loaded(spec))
            .as("%s keys left in both tiers", spec)
            .isEqualTo(SPARE);
      }
      assertThat(keywell.part(Devices.class).first().hsm().countLiveKeys())
          .as("private keys live in the HSM, counted through PKCS#11")
          .isEqualTo(loaded);
      assertComplete(new Sql(dataSource));
    }
  }

  private static String signAndVerify(HttpApi http, KeySpec spec, String document)
      throws IOException, InterruptedException, GeneralSecurityException {
    HttpApi.Answer answer = http.sign(SignBody.of(document).keySpec(spec));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer signed = SignedAnswer.of(answer);
    assertThat(signed.preGenerated()).isTrue();
    signed.verify(
        spec == KeySpec.EC_P256 ? "SHA256withECDSA" : "SHA256withRSA",
        document.getBytes(StandardCharsets.UTF_8));
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
