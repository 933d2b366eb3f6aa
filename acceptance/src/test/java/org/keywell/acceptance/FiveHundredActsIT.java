package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ActCalls;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.LedgerBalance;
import org.keywell.testkit.Await;
import org.keywell.testkit.Sql;
import tools.jackson.databind.JsonNode;

/** Rule 1, one key, one act: in one call and in two, with 1 to 10 digests. */
@Timeout(180)
final class FiveHundredActsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int ACTS = 500;
  private static final int SPARE = 20;
  private static final int MOST_DIGESTS = 10;
  private static final int AT_ONCE = 4;

  @TempDir Path home;

  @Test
  void eachKeyIsInOneActAndSignsAllOfIt() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, ACTS + SPARE);
      try (RunningKeywell keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, 40)))) {
        HttpApi http = keywell.http();
        List<Callable<String>> calls = new ArrayList<>();
        for (int i = 0; i < ACTS; i++) {
          List<byte[]> digests = ActCalls.digests("act " + i, 1 + i / 2 % MOST_DIGESTS);
          calls.add(i % 2 == 0 ? () -> inOneCall(http, digests) : () -> inTwoCalls(http, digests));
        }
        Set<String> publicKeys = new HashSet<>();
        try (ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE)) {
          for (Future<String> publicKey : callers.invokeAll(calls)) {
            publicKeys.add(publicKey.get());
          }
        }

        assertThat(publicKeys).as("keys, by their certificates").hasSize(ACTS);
        assertOnRecord(site.sql());
        Await.until("all keys that are left are loaded", () -> keywell.loaded(SPEC) == SPARE);
        assertThat(site.ledger().balances())
            .isNotEmpty()
            .extracting(LedgerBalance::difference)
            .containsOnly(0L);
        keywell.assertNoKeyButLoaded();
      }
    }
  }

  private static void assertOnRecord(Sql sql) throws Exception {
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM sign_request WHERE status = 'signed'
                  AND destruction_return_value = 0
                  AND cardinality(coalesce(digests, ARRAY[digest]))
                    = cardinality(coalesce(signatures, ARRAY[signature]))
                """))
        .isEqualTo(ACTS);
    assertThat(sql.count("SELECT count(DISTINCT key_id) FROM sign_request")).isEqualTo(ACTS);
    assertThat(sql.count("SELECT count(DISTINCT public_key_sha256) FROM sign_request"))
        .isEqualTo(ACTS);
    assertThat(sql.count("SELECT count(*) FROM unused_certificate")).isZero();
  }

  private static String inOneCall(HttpApi http, List<byte[]> digests) throws Exception {
    HttpApi.Answer answer =
        http.sign(
            SignBody.of("-")
                .without("digest")
                .with("digests", texts(digests))
                .keySpec(SPEC)
                .deadlineMillis(30_000));
    return verified(answer, digests);
  }

  private static String inTwoCalls(HttpApi http, List<byte[]> digests) throws Exception {
    ActCalls acts = new ActCalls(http);
    UUID id = UUID.randomUUID();
    HttpApi.Answer opened =
        acts.open(ActCalls.body(id, SPEC, digests.size()).deadlineMillis(30_000));
    assertThat(opened.status()).as(opened.body().toString()).isEqualTo(201);
    return verified(acts.sign(id, digests), digests);
  }

  /** Each digest has a signature by the key of the act's certificate. Returns that key. */
  private static String verified(HttpApi.Answer answer, List<byte[]> digests) throws Exception {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    JsonNode chain = answer.body().path("certificateChain");
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(chain.path(0).binaryValue()));
    JsonNode signatures = answer.body().path("signatures");
    assertThat(signatures.size()).isEqualTo(digests.size());
    for (int i = 0; i < digests.size(); i++) {
      Signature verifier = Signature.getInstance("NONEwithECDSA");
      verifier.initVerify(certificate.getPublicKey());
      verifier.update(digests.get(i));
      assertThat(verifier.verify(signatures.path(i).binaryValue())).isTrue();
    }
    return Base64.getEncoder().encodeToString(certificate.getPublicKey().getEncoded());
  }

  private static List<String> texts(List<byte[]> digests) {
    return digests.stream().map(digest -> Base64.getEncoder().encodeToString(digest)).toList();
  }
}
