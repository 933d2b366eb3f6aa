package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.ca.token.PemCertificates;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;

/**
 * A unit of time stamps gets another key, of another kind, and certificate, under another label.
 */
@Timeout(120)
final class TimeStampRenewalIT {

  private static final String EXPIRY = "keywell_tsa_certificate_expiry_timestamp_seconds";

  private final SoftHsmToken token = SoftHsmToken.create();
  private final Database database = PostgresForTests.newDatabase();
  private final Path home;
  private final OpenSsl openssl;

  TimeStampRenewalIT(@TempDir Path home) {
    this.home = home;
    openssl = new OpenSsl(home);
  }

  @Test
  void timeStampsOfBeforeStayValid() throws Exception {
    Files.writeString(home.resolve("document"), "a document");
    openssl.run("ts", "-query", "-data", "document", "-sha256", "-cert", "-out", "query");

    X509Certificate old = stamped("keywell-tsa", "EC-P256", "old", Duration.ofDays(20));
    X509Certificate renewed = stamped("keywell-tsa-2", "RSA-3072", "new", Duration.ofDays(300));
    X509Certificate again = stamped("keywell-tsa-2", "RSA-3072", "again", Duration.ofDays(300));

    assertThat(old.getPublicKey().getAlgorithm()).isEqualTo("EC");
    assertThat(renewed.getPublicKey().getAlgorithm()).isEqualTo("RSA");
    assertThat(again).as("made once").isEqualTo(renewed);
    for (String answer : List.of("old", "new", "again")) {
      assertThat(
              openssl.run(
                  "ts", "-verify", "-in", answer, "-queryfile", "query", "-CAfile", "ca/root.pem"))
          .contains("Verification: OK");
    }
  }

  /** Starts the service, writes a time stamp to a file, and returns the unit's certificate. */
  private X509Certificate stamped(String label, String key, String answer, Duration validity)
      throws Exception {
    Map<String, String> settings =
        Settings.of(
            token,
            database,
            home,
            Map.of(
                "keywell.tsa.enabled",
                "true",
                "keywell.tsa.key-label",
                label,
                "keywell.tsa.key",
                key,
                "keywell.tsa.validity",
                validity.toDays() + "d"));
    try (RunningKeywell keywell = RunningKeywell.start(settings);
        HttpClient client = HttpClient.newHttpClient()) {
      URI service = URI.create("http://127.0.0.1:" + keywell.port());
      HttpResponse<Path> stamp =
          client.send(
              HttpRequest.newBuilder(service.resolve("/tsa"))
                  .header("Content-Type", "application/timestamp-query")
                  .POST(HttpRequest.BodyPublishers.ofFile(home.resolve("query")))
                  .build(),
              HttpResponse.BodyHandlers.ofFile(home.resolve(answer)));
      assertThat(stamp.statusCode()).isEqualTo(200);
      X509Certificate unit =
          PemCertificates.read(
                  client
                      .send(
                          HttpRequest.newBuilder(service.resolve("/tsa/chain")).build(),
                          HttpResponse.BodyHandlers.ofString())
                      .body())
              .getFirst();
      assertThat(keywell.scrape().value(EXPIRY, "device", "hsm"))
          .isEqualTo((double) unit.getNotAfter().toInstant().getEpochSecond());
      return unit;
    }
  }
}
