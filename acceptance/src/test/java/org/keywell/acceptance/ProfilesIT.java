package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
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
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.OpenSsl;

/** A request names the profile of its certificate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ProfilesIT {

  private static final SignBody BODY = SignBody.of("a contract").keySpec(KeySpec.EC_P256);

  private Path home;
  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    home = directory;
    Path profiles = Files.createDirectory(directory.resolve("profiles"));
    Files.writeString(
        profiles.resolve("person.yaml"),
        """
        profile:
          validity: 6h
          subject: etsi-natural-person
          ocsp-uris: http://ocsp.example
        """);
    site = Site.create(directory);
    site.stock(KeySpec.EC_P256, 10);
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(KeySpec.EC_P256, 10),
                Map.of("keywell.ca.profiles-directory", profiles.toString())));
  }

  @AfterAll
  void stop() throws IOException {
    keywell.close();
    site.close();
  }

  private X509Certificate certificate(SignBody body) throws Exception {
    HttpApi.Answer answer = keywell.http().sign(body);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer signed = SignedAnswer.of(answer);
    new OpenSsl(home).verifyChain(signed.chain(), home.resolve("ca").resolve("root.pem"));
    return signed.chain().getFirst();
  }

  private static Duration validity(X509Certificate certificate) {
    return Duration.between(
        certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant());
  }

  @Test
  void whoNamesNoneGetsTheStandard() throws Exception {
    assertThat(validity(certificate(BODY))).isEqualTo(Duration.ofHours(24).plusMinutes(1));
  }

  @Test
  void aShortLivedCertificateSaysSo() throws Exception {
    X509Certificate certificate = certificate(BODY.with("profile", "short-lived"));
    assertThat(validity(certificate)).isEqualTo(Duration.ofMinutes(61));
    assertThat(certificate.getNonCriticalExtensionOIDs()).contains("2.5.29.56", "0.4.0.194121.2.1");
  }

  @Test
  void aProfileOfAFileIsAskedForByItsName() throws Exception {
    X509Certificate certificate =
        certificate(
            BODY.with("profile", "person")
                .signer("givenName", "Astrid")
                .signer("serialNumber", "PNOSE-197001011234"));
    assertThat(validity(certificate)).isEqualTo(Duration.ofHours(6).plusMinutes(1));
    assertThat(certificate.getNonCriticalExtensionOIDs()).contains("1.3.6.1.5.5.7.1.1");
  }

  @Test
  void whatAProfileDoesNotAllowCostsNothing() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = BODY.requestId(id);
    HttpApi.Answer noSuch = keywell.http().sign(body.with("profile", "gold"));
    assertThat(noSuch.status()).isEqualTo(400);
    assertThat(noSuch.problem()).isEqualTo("unknown-profile");
    HttpApi.Answer nameless = keywell.http().sign(body.with("profile", "person"));
    assertThat(nameless.status()).isEqualTo(400);
    assertThat(nameless.problem()).isEqualTo("bad-signer");
    assertThat(nameless.body().path("detail").asString()).contains("signer.givenName is missing");
    assertThat(
            site.sql().count("SELECT count(*) FROM sign_request WHERE request_id = '" + id + "'"))
        .isZero();
  }

  @Test
  void theSameIdForAnotherProfileIsAnotherRequest() throws Exception {
    SignBody body = BODY.requestId(UUID.randomUUID());
    certificate(body);
    assertThat(keywell.http().sign(body.with("profile", "short-lived")).problem())
        .isEqualTo("request-id-reused");
    assertThat(certificate(body.with("profile", "standard"))).isEqualTo(certificate(body));
  }
}
