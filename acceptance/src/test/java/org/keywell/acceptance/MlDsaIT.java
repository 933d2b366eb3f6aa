package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.OpenSsl;
import tools.jackson.databind.JsonNode;

/** Keys of ML-DSA, from generation to a container that others verify. */
final class MlDsaIT {

  private static final List<KeySpec> SPECS =
      List.of(KeySpec.ML_DSA_44, KeySpec.ML_DSA_65, KeySpec.ML_DSA_87);

  private static final String KRYOPTIC = "KEYWELL_TEST_KRYOPTIC";

  /** Names an openssl of version 3.5 or later. */
  private static final String OPENSSL = "KEYWELL_TEST_OPENSSL_3_5";

  private static final int KEYS = 4;
  private static final String DOCUMENT = "Whereas the parties agree";

  @TempDir Path home;

  private static Map<String, String> pools() {
    Map<String, String> pools = new HashMap<>();
    for (KeySpec spec : SPECS) {
      String prefix = "keywell.pool.specs." + spec.label() + ".";
      pools.put(prefix + "max-stored", "0");
      pools.put(prefix + "loaded-capacity", Integer.toString(KEYS));
      pools.put(prefix + "low-water", Integer.toString(KEYS));
      pools.put(prefix + "batch-size", "2");
    }
    return pools;
  }

  private static boolean offers(Site site) {
    try (Hsm hsm = site.token().open()) {
      return SPECS.stream().allMatch(hsm::makes);
    }
  }

  /** SoftHSM up to 2.7.0 is such a module. */
  @Test
  void aPoolThatTheModuleCannotFillEndsTheStart() {
    try (Site site = Site.create(home)) {
      assumeFalse(offers(site), "this SoftHSM makes ML-DSA keys");
      assertThatThrownBy(() -> RunningKeywell.start(site.settings(pools())).close())
          .rootCause()
          .hasMessageContainingAll("keywell.pool.specs", "the module makes no ML-DSA-");
    }
  }

  /** Generated, wrapped, tried and stored. The device's own contract test unwraps and signs. */
  @Test
  void keysAreStored() throws Exception {
    try (Site site = Site.create(home)) {
      assumeTrue(offers(site), "this SoftHSM makes no ML-DSA keys; see docs/POST-QUANTUM.md");
      for (KeySpec spec : SPECS) {
        site.stock(spec, KEYS);
      }
      assertThat(site.sql().count("SELECT count(*) FROM pool_key"))
          .isEqualTo((long) KEYS * SPECS.size());
    }
  }

  /** Kryoptic wraps no such keys, so each is made for its request. */
  @Test
  void keysMadeForARequestSignContainers() throws Exception {
    String module = System.getenv(KRYOPTIC);
    assumeTrue(module != null, KRYOPTIC + " names no Kryoptic; see docs/POST-QUANTUM.md");
    try (Site site = Site.create(home)) {
      Map<String, String> settings = new HashMap<>(pools());
      settings.put("keywell.pool.when-empty", "generate");
      settings.put("keywell.hsm.module", Objects.requireNonNull(module));
      settings.put("keywell.hsm.initialize-parameters", home.resolve("token.sql").toString());
      settings.put("keywell.hsm.so-pin-file", soPinFile().toString());
      try (RunningKeywell keywell = RunningKeywell.start(site.settings(settings))) {
        for (KeySpec spec : SPECS) {
          assertThat(signsContainers(keywell, spec).preGenerated()).isFalse();
        }
        refusesWhatIsNoMessage(keywell);
        keywell.assertNoKeyButLoaded();
      }
    }
  }

  private Path soPinFile() throws Exception {
    Path file =
        Files.createFile(
            home.resolve("so-pin"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, "9988776655443322\n");
  }

  private SignedAnswer signsContainers(RunningKeywell keywell, KeySpec spec) throws Exception {
    SignedAnswer signed = null;
    for (String container : List.of("CAdES-BASELINE-B", "PAdES-BASELINE-B")) {
      HttpApi.Answer answer =
          keywell
              .http()
              .sign(
                  SignBody.of(DOCUMENT)
                      .digest(DigestAlgorithm.SHA_512, DOCUMENT)
                      .keySpec(spec)
                      .with("container", container));
      assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
      assertThat(answer.body().path("signatureAlgorithm").asString()).isEqualTo(spec.label());
      signed = SignedAnswer.of(answer);
      signed.verifyChain();
      verify(answer.body());
    }
    return Objects.requireNonNull(signed);
  }

  private void verify(JsonNode body) throws Exception {
    byte[] container = Base64.getDecoder().decode(body.path("containers").get(0).asString());
    byte[] document = DOCUMENT.getBytes(StandardCharsets.UTF_8);
    X509CertificateHolder certificate =
        new X509CertificateHolder(
            Base64.getDecoder().decode(body.path("certificateChain").get(0).asString()));
    for (SignerInformation signer :
        new CMSSignedData(new CMSProcessableByteArray(document), container)
            .getSignerInfos()
            .getSigners()) {
      assertThat(
              signer.verify(
                  new JcaSimpleSignerInfoVerifierBuilder()
                      .setProvider(new BouncyCastleProvider())
                      .build(certificate)))
          .as("Bouncy Castle")
          .isTrue();
    }
    String program = System.getenv(OPENSSL);
    if (program != null) {
      Files.write(home.resolve("container"), container);
      Files.write(home.resolve("document"), document);
      new OpenSsl(home, program)
          .run(
              ("cms -verify -binary -inform DER -in container -content document -CAfile "
                      + home.resolve("ca").resolve("root.pem")
                      + " -purpose any -out verified")
                  .split(" "));
    }
  }

  private static void refusesWhatIsNoMessage(RunningKeywell keywell) throws Exception {
    SignBody bare = SignBody.of(DOCUMENT).keySpec(KeySpec.ML_DSA_65);
    HttpApi.Answer noContainer =
        keywell.http().sign(bare.digest(DigestAlgorithm.SHA_512, DOCUMENT));
    HttpApi.Answer weak = keywell.http().sign(bare.with("container", "CAdES-BASELINE-B"));

    assertThat(noContainer.status()).isEqualTo(400);
    assertThat(noContainer.problem()).isEqualTo("algorithm-mismatch");
    assertThat(noContainer.body().path("detail").asString()).contains("ML-DSA-65", "container");
    assertThat(weak.status()).isEqualTo(400);
    assertThat(weak.body().path("detail").asString()).contains("SHA-256", "ML-DSA-65");
  }
}
