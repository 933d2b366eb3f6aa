package org.keywell.acceptance.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.acceptance.running.ActCalls;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.Scrape;
import tools.jackson.databind.JsonNode;

/**
 * A module that returns garbage with {@code CKR_OK} at random, in the place of what one-time keys
 * and the CA's key sign: in no form of signing is anything answered that does not verify, and each
 * wrong signature is counted.
 */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(3600)
final class GarbageChaosIT {

  /** In each form; 10,000 in the chaos lane. */
  private static final int REQUESTS = Integer.getInteger("keywell.chaos.garbage", 100);

  private static final int CALLERS = 4;
  private static final int GARBAGE_PER_THOUSAND = 20;
  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final List<String> DOCUMENTS = List.of("contract", "annex", "terms");

  @TempDir Path home;

  /** The forms of signing. */
  enum Form {
    ONE_DIGEST,
    SEVERAL_DIGESTS,
    CONTAINER,
    IN_TWO_CALLS
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void nothingWrongIsAnswered(Form form) throws Exception {
    try (FaultyModule module = FaultyModule.create(home.resolve("hsm"));
        Site site = Site.create(home, module.path());
        RunningKeywell keywell = RunningKeywell.start(site.settings(onTheFly()))) {
      module.inject("C_Sign", Fault.corrupting().perThousand(GARBAGE_PER_THOUSAND));
      AtomicInteger answered = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      List<Future<?>> callers = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS)) {
        for (int i = 0; i < REQUESTS; i++) {
          callers.add(
              threads.submit(() -> {
                (isRight(form, keywell.http()) ? answered : refused).incrementAndGet();
                return null;
              }));
        }
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
      module.clear("C_Sign");

      Scrape scrape = keywell.scrape();
      double ofKeys = scrape.value("keywell_hsm_wrong_signatures_total", "device", "hsm");
      double ofCa = scrape.value("keywell_ca_wrong_signatures_total", "device", "hsm");
      System.out.printf(
          "chaos: garbage, %s: %d requests, %d answered and each verified, %d refused; wrong"
              + " signatures %.0f of one-time keys, %.0f of the CA's, of %d calls %d spoilt%n",
          form,
          REQUESTS,
          answered.get(),
          refused.get(),
          ofKeys,
          ofCa,
          module.calls("C_Sign"),
          module.faults("C_Sign"));
      assertThat(answered.get() + refused.get()).isEqualTo(REQUESTS);
      assertThat(answered).hasPositiveValue();
      assertThat(module.faults("C_Sign")).isPositive();
      assertThat(ofKeys + ofCa)
          .as("each failure on record is that of a wrong signature")
          .isEqualTo(
              (double)
                  site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'failed'"));
      keywell.assertNoKeyButLoaded();
    }
  }

  private static Map<String, String> onTheFly() {
    Map<String, String> settings = new HashMap<>(Settings.pool(SPEC, 10));
    settings.put("keywell.pool.mode", "on-the-fly");
    return settings;
  }

  /** Returns whether it was answered with signatures, all of which verify; false: refused. */
  private static boolean isRight(Form form, HttpApi http) throws Exception {
    HttpApi.Answer answer =
        switch (form) {
          case ONE_DIGEST -> http.sign(SignBody.of(DOCUMENTS.getFirst()).keySpec(SPEC));
          case SEVERAL_DIGESTS -> http.sign(several());
          case CONTAINER -> http.sign(several().with("container", "CAdES-BASELINE-B"));
          case IN_TWO_CALLS -> actInTwoCalls(http);
        };
    if (answer.status() != 200) {
      assertThat(answer.problem()).isIn("hsm-unavailable", "ca-unavailable", "key-refused");
      return false;
    }
    SignedAnswer signed = SignedAnswer.of(answer);
    if (form == Form.CONTAINER) {
      // As for the others, this looks at the chain; the signature is over the attributes.
      requireContainers(answer.body().path("containers"), signed);
      signed.verifyChain();
      return true;
    }
    signed.verify("SHA256withECDSA", DOCUMENTS.getFirst().getBytes(UTF_8));
    if (form != Form.ONE_DIGEST) {
      requireSignatures(answer.body().path("signatures"), signed);
    }
    return true;
  }

  private static HttpApi.Answer actInTwoCalls(HttpApi http) throws Exception {
    UUID id = UUID.randomUUID();
    ActCalls acts = new ActCalls(http);
    HttpApi.Answer opened = acts.open(ActCalls.body(id, SPEC, DOCUMENTS.size()));
    return opened.status() == 201 ? acts.sign(id, digests()) : opened;
  }

  private static void requireSignatures(JsonNode signatures, SignedAnswer answer) throws Exception {
    assertThat(signatures.size()).isEqualTo(DOCUMENTS.size());
    for (int i = 0; i < DOCUMENTS.size(); i++) {
      Signature verifier = Signature.getInstance("SHA256withECDSA");
      verifier.initVerify(answer.publicKey());
      verifier.update(DOCUMENTS.get(i).getBytes(UTF_8));
      assertThat(verifier.verify(decoded(signatures.get(i)))).isTrue();
    }
  }

  private static void requireContainers(JsonNode containers, SignedAnswer answer) throws Exception {
    assertThat(containers.size()).isEqualTo(DOCUMENTS.size());
    for (int i = 0; i < DOCUMENTS.size(); i++) {
      CMSSignedData container =
          new CMSSignedData(
              new CMSProcessableByteArray(DOCUMENTS.get(i).getBytes(UTF_8)),
              decoded(containers.get(i)));
      assertThat(
              container.verifySignatures(signer ->
                  new JcaSimpleSignerInfoVerifierBuilder().build(answer.chain().getFirst())))
          .isTrue();
    }
  }

  private static byte[] decoded(JsonNode text) {
    return Base64.getDecoder().decode(text.asString());
  }

  private static SignBody several() throws Exception {
    return SignBody.of("")
        .without("digest")
        .with("digests", digests().stream().map(Base64.getEncoder()::encodeToString).toList())
        .keySpec(SPEC);
  }

  private static List<byte[]> digests() throws Exception {
    List<byte[]> digests = new ArrayList<>();
    for (String document : DOCUMENTS) {
      digests.add(MessageDigest.getInstance("SHA-256").digest(document.getBytes(UTF_8)));
    }
    return digests;
  }
}
