package org.keywell.service.act;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.running.ActCalls;
import org.keywell.service.running.Await;
import org.keywell.service.running.HttpApi;
import org.keywell.service.running.RunningKeywell;
import org.keywell.service.running.Settings;
import org.keywell.service.running.SignBody;
import org.keywell.service.running.Site;
import tools.jackson.databind.JsonNode;

/** Acts in two calls: what each call answers, whatever came before it, and what is left of keys. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ActsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  private Site site;
  private RunningKeywell keywell;
  private ActCalls acts;
  private long foreign;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    site.stock(SPEC, 60);
    keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, 20)));
    keywell.awaitLoaded(SPEC, 20);
    // The CA that was made in this process has session keys that are not the pool's.
    foreign = live() - 20;
    acts = new ActCalls(keywell.http());
  }

  @AfterAll
  void stop() {
    keywell.close();
    site.close();
  }

  /** Whatever a test has done: its acts have ended, and their keys with them. */
  @AfterEach
  void noKeyIsLeft() throws Exception {
    Await.until("no act is open", () -> keywell.part(OpenActs.class).count() == 0);
    keywell.awaitLoaded(SPEC, 20);
    KeyPools pools = keywell.part(KeyPools.class);
    assertThat(pools.depth(SPEC).leased()).as("keys on lease").isZero();
    assertThat(pools.orphans()).as("keys that were not destroyed").isZero();
    assertThat(live()).as("live keys, counted through PKCS#11").isBetween(20L, 20 + foreign);
  }

  private long live() {
    return keywell.part(KeyPools.class).devices().getFirst().liveKeys();
  }

  @Test
  void certifiesFirstAndSignsAllDigestsThen() throws Exception {
    UUID id = UUID.randomUUID();
    HttpApi.Answer opened = acts.open(ActCalls.body(id, SPEC, 3));

    assertThat(opened.status()).as(opened.body().toString()).isEqualTo(201);
    assertThat(opened.body().path("status").asString()).isEqualTo("open");
    assertThat(opened.body().path("digestCount").asInt()).isEqualTo(3);
    List<byte[]> digests = ActCalls.digests("contract", 3);
    HttpApi.Answer signed = acts.sign(id, digests);

    assertThat(signed.status()).as(signed.body().toString()).isEqualTo(200);
    assertThat(signed.body().path("certificateChain"))
        .isEqualTo(opened.body().path("certificateChain"));
    X509Certificate certificate = certificate(opened.body());
    String[] signatures =
        site.sql()
            .texts(
                "SELECT encode(unnest(signatures), 'base64') FROM sign_request WHERE request_id = '"
                    + id
                    + "'")
            .toArray(String[]::new);
    assertThat(signatures).hasSize(3);
    for (int i = 0; i < signatures.length; i++) {
      assertThat(
              verifies(certificate, digests.get(i), Base64.getMimeDecoder().decode(signatures[i])))
          .isTrue();
    }
    assertThat(acts.find(id).body().path("status").asString()).isEqualTo("signed");
  }

  @Test
  void cancels() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = ActCalls.body(id, SPEC, 1);
    acts.open(body);

    assertThat(acts.cancel(id).status()).isEqualTo(204);
    assertThat(acts.cancel(id).status()).isEqualTo(204);
    assertThat(acts.sign(id, ActCalls.digests("late", 1)).problem()).isEqualTo("act-cancelled");
    assertThat(acts.open(body).problem()).isEqualTo("act-cancelled");
    assertThat(acts.find(id).body().path("status").asString()).isEqualTo("cancelled");
    assertUnused(id, "cancelled");
  }

  /** The certificate is on record as one that was not used, and the end of its key as well. */
  private void assertUnused(UUID id, String status) throws Exception {
    assertThat(
            site.sql()
                .count(
                    """
                    SELECT count(*) FROM unused_certificate u JOIN sign_request s USING (request_id)
                    WHERE request_id = '%s' AND u.status = '%s' AND s.destruction_return_value = 0
                      AND s.key_destroyed IS NOT NULL AND s.signature IS NULL
                    """
                        .formatted(id, status)))
        .isEqualTo(1);
  }

  private static X509Certificate certificate(JsonNode act) throws Exception {
    byte[] der = act.path("certificateChain").path(0).binaryValue();
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  private static boolean verifies(X509Certificate certificate, byte[] digest, byte[] signature)
      throws Exception {
    Signature verifier = Signature.getInstance("NONEwithECDSA");
    verifier.initVerify(certificate.getPublicKey());
    verifier.update(digest);
    return verifier.verify(signature);
  }
}
