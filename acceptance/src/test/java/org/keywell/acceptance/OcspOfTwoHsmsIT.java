package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.keypool.Device;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.testkit.Await;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;

/** openssl asks about certificates by two HSMs, of which one is away for a time. */
@Tag("softhsm")
@Tag("postgresql")
@Tag("fault")
@Timeout(240)
final class OcspOfTwoHsmsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int LOADED = 3;
  private static final String RESPONDERS = "http://ocsp.example.org/ca/ocsp/";
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final String GOOD = "leaf.pem: good";

  private final Database database = PostgresForTests.newDatabase();
  private final SoftHsmToken east = SoftHsmToken.create();
  private final Path home;
  private final OpenSsl openssl;
  private final FaultyModule module;
  private final SoftHsmToken west;

  OcspOfTwoHsmsIT(@TempDir Path home) {
    this.home = home;
    this.openssl = new OpenSsl(home);
    this.module = FaultyModule.create(home.resolve("west"));
    this.west = SoftHsmToken.create(module.path());
  }

  @AfterEach
  void endFaults() {
    module.close();
  }

  private RunningKeywell start(String bootstrap) {
    Database owner = database.asOwner();
    Map<String, String> more = new HashMap<>(Settings.pool(SPEC, LOADED));
    more.put("keywell.pool.specs." + SPEC.label() + ".max-stored", "20");
    more.put("keywell.hsm.bootstrap", bootstrap);
    more.putAll(Settings.besides(west));
    more.put("keywell.ca.crl.uri", "http://crl.example.org/ca/crl/");
    more.put("keywell.ca.ocsp.uri", RESPONDERS);
    more.put("keywell.ca.profile.crls-by-day", "true");
    more.put("keywell.database.owner.username", owner.username());
    more.put("keywell.database.owner.password", owner.password());
    return RunningKeywell.start(Settings.of(east, database, home, more));
  }

  /** A signer's certificate and its chain, by each device's CA. */
  private record Signed(List<X509Certificate> east, List<X509Certificate> west) {}

  private static Signed signedByEach(RunningKeywell keywell) throws Exception {
    Await.until(
        "both have keys",
        () -> {
          List<Device> devices = keywell.part(KeyPools.class).devices();
          return devices.size() == 2
              && devices.stream().allMatch(device -> device.depth(SPEC).loaded() == LOADED);
        });
    return new Signed(signedBy(keywell, "east"), signedBy(keywell, "west"));
  }

  private static List<X509Certificate> signedBy(RunningKeywell keywell, String device)
      throws Exception {
    X509Certificate issuer =
        keywell.part(IssuingCas.class).all().stream()
            .filter(ca -> ca.device().equals(device))
            .map(ca -> ca.chain().getFirst())
            .findFirst()
            .orElseThrow();
    List<X509Certificate> chain = new ArrayList<>();
    Await.until(
        device + " signs",
        () -> {
          HttpApi.Answer answer = keywell.http().sign(SignBody.of("a contract").keySpec(SPEC));
          chain.clear();
          if (answer.status() == 200) {
            chain.addAll(SignedAnswer.of(answer).chain());
          }
          return chain.contains(issuer);
        });
    return chain;
  }

  private static String issuer(List<X509Certificate> chain) {
    return HexFormat.of().formatHex(CrlShard.issuer(chain.get(1)));
  }

  private String verdict(RunningKeywell keywell, List<X509Certificate> chain) throws Exception {
    openssl.write("leaf.pem", OpenSsl.pem(chain.subList(0, 1)));
    openssl.write("issuing.pem", OpenSsl.pem(chain.subList(1, 2)));
    return openssl.attempt(
        "ocsp",
        "-url",
        keywell.http().base() + "/ca/ocsp/" + issuer(chain),
        "-issuer",
        "issuing.pem",
        "-cert",
        "leaf.pem",
        "-CAfile",
        "ca/root.pem");
  }

  private static void assertNamesItsResponder(List<X509Certificate> chain) throws Exception {
    assertThat(new String(chain.getFirst().getEncoded(), StandardCharsets.ISO_8859_1))
        .contains(RESPONDERS + issuer(chain));
  }

  @Test
  void theCertificatesOfOneThatIsAwayAreAnsweredLater() throws Exception {
    try (RunningKeywell keywell = start("if-missing")) {
      Signed signed = signedByEach(keywell);
      for (List<X509Certificate> chain : List.of(signed.east(), signed.west())) {
        assertNamesItsResponder(chain);
        assertThat(verdict(keywell, chain)).contains("Response verify OK", GOOD);
      }

      module.gone(CKR_DEVICE_REMOVED);
      for (int i = 0; i < 5; i++) {
        assertThat(verdict(keywell, signed.west())).contains("trylater (3)");
        Instant asked = Instant.now();
        assertThat(verdict(keywell, signed.east())).contains("Response verify OK", GOOD);
        assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(2));
      }

      module.back();
      Await.until("it answers again", () -> verdict(keywell, signed.west()).contains(GOOD));
      assertThat(verdict(keywell, signed.east())).contains(GOOD);
    }
  }

  @Test
  void oneThatComesLateAnswersFromThenOn() throws Exception {
    Signed signed;
    try (RunningKeywell keywell = start("if-missing")) {
      signed = signedByEach(keywell);
    }
    module.gone(CKR_DEVICE_REMOVED);
    try (RunningKeywell keywell = start("never")) {
      assertThat(verdict(keywell, signed.west())).contains("unauthorized (6)");
      assertThat(verdict(keywell, signed.east())).contains("Response verify OK", GOOD);
      assertThat(expiry(keywell, "west")).isNaN();

      module.back();
      Await.until("it has come", () -> keywell.part(KeyPools.class).devices().size() == 2);

      assertThat(verdict(keywell, signed.west())).contains("Response verify OK", GOOD);
      assertThat(expiry(keywell, "west")).isEqualTo(expiry(keywell, "east"), within());
      Signed later = signedByEach(keywell);
      for (List<X509Certificate> chain : List.of(later.east(), later.west())) {
        assertNamesItsResponder(chain);
        assertThat(verdict(keywell, chain)).contains("Response verify OK", GOOD);
      }
    }
  }

  private static Offset<Double> within() {
    return Offset.offset((double) Duration.ofHours(1).toSeconds());
  }

  private static double expiry(RunningKeywell keywell, String device) throws Exception {
    return keywell
        .scrape()
        .value("keywell_ocsp_certificate_expiry_timestamp_seconds", "device", device);
  }
}
