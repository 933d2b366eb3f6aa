package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.testkit.OpenSsl;

/** Whatever can be asked for with a digest is signed, and {@code openssl} accepts it. */
final class EverySpecIT {

  private static final List<KeySpec> SPECS =
      Stream.of(KeySpec.values()).filter(spec -> !spec.defaultScheme().signsMessages()).toList();

  private record Combination(KeySpec spec, SignatureScheme scheme, DigestAlgorithm digest) {}

  @TempDir Path home;

  /** One service for all, started when the first is made and stopped with the last. */
  @TestFactory
  List<DynamicTest> combinations() throws Exception {
    List<Combination> combinations = new ArrayList<>();
    Map<String, String> pools = new HashMap<>();
    for (KeySpec spec : SPECS) {
      pools.putAll(Settings.pool(spec, DigestAlgorithm.values().length));
      for (SignatureScheme scheme : SignatureScheme.values()) {
        for (DigestAlgorithm digest : DigestAlgorithm.values()) {
          if (scheme.fits(spec)) {
            combinations.add(new Combination(spec, scheme, digest));
          }
        }
      }
    }
    Site site = Site.create(home);
    for (KeySpec spec : SPECS) {
      int needed = Math.toIntExact(combinations.stream().filter(one -> one.spec() == spec).count());
      site.stock(spec, needed);
    }
    RunningKeywell keywell = RunningKeywell.start(site.settings(pools));
    List<DynamicTest> tests = new ArrayList<>();
    for (Combination one : combinations) {
      tests.add(
          DynamicTest.dynamicTest(
              one.spec() + " " + one.scheme() + " " + one.digest(),
              () -> signAndVerify(keywell.http(), one)));
    }
    tests.add(
        DynamicTest.dynamicTest(
            "no key is left",
            () -> {
              try (site;
                  keywell) {
                assertThat(site.sql().count("SELECT count(*) FROM pool_key")).isZero();
                keywell.assertNoKeyButLoaded();
              }
            }));
    return tests;
  }

  @Test
  void underACaWithRsaKeys() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.EC_P384, 1);
      try (RunningKeywell keywell =
          RunningKeywell.start(
              site.settings(
                  Settings.pool(KeySpec.EC_P384, 1),
                  Map.of(
                      "keywell.ca.issuing.key", "RSA-3072", "keywell.ca.root.key", "RSA-3072")))) {
        SignedAnswer answer =
            signAndVerify(
                keywell.http(),
                new Combination(KeySpec.EC_P384, SignatureScheme.ECDSA, DigestAlgorithm.SHA_384));
        assertThat(answer.chain()).hasSize(3);
        assertThat(answer.chain().get(0).getSigAlgName()).isEqualTo("SHA256withRSA");
        assertThat(answer.chain().get(1).getPublicKey().getAlgorithm()).isEqualTo("RSA");
      }
    }
  }

  private SignedAnswer signAndVerify(HttpApi http, Combination one) throws Exception {
    String document = "document of " + one;
    HttpApi.Answer answer =
        http.sign(
            SignBody.of(document)
                .keySpec(one.spec())
                .scheme(one.scheme())
                .digest(one.digest(), document)
                .deadlineMillis(60_000));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    assertThat(answer.body().path("signatureAlgorithm").asString()).isEqualTo(one.scheme().label());
    SignedAnswer signed = SignedAnswer.of(answer);
    assertThat(signed.preGenerated()).isTrue();
    OpenSsl openssl = new OpenSsl(home);
    openssl.verifySignature(signed.signature(), signed.chain().getFirst(), document, options(one));
    openssl.verifyChain(signed.chain(), home.resolve("ca").resolve("root.pem"));
    assertThat(openssl.run("x509", "-in", "leaf.pem", "-noout", "-text"))
        .contains(
            one.spec().algorithm() == KeySpec.Algorithm.RSA
                ? "Public-Key: (" + one.spec().bits() + " bit)"
                : "NIST CURVE: P-" + one.spec().bits());
    return signed;
  }

  /** The salt of PSS is as long as the digest, and MGF1 uses the digest's hash function. */
  private static String[] options(Combination one) {
    String digest = one.digest().label().replace("-", "").toLowerCase(Locale.ROOT);
    return one.scheme() == SignatureScheme.RSASSA_PSS
        ? new String[] {
          "-" + digest,
          "-sigopt",
          "rsa_padding_mode:pss",
          "-sigopt",
          "rsa_pss_saltlen:digest",
          "-sigopt",
          "rsa_mgf1_md:" + digest
        }
        : new String[] {"-" + digest};
  }
}
