package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Browser;
import org.keywell.acceptance.running.ForeignProgram;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.KmipConnection;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.kmip.table.Tag;
import org.keywell.testkit.Await;
import org.keywell.testkit.Scrape;
import org.keywell.testkit.SslScan;
import org.keywell.testkit.TlsAuthority;

/** The executable jar over KMIP: its callers are those of the callers file, as long as they are. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class KmipIT {

  private static final Duration DAY = Duration.ofDays(1);

  private Path files;
  private TlsAuthority authority;
  private Site site;
  private KeywellProcess keywell;
  private HttpApi http;
  private HttpApi management;
  private int port;

  @BeforeAll
  void start(@TempDir Path home, @TempDir Path files) throws Exception {
    this.files = files;
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1,DNS:localhost");
    for (String name : List.of("manager", "leaver", "stolen", "stranger", "judge", "hasty")) {
      authority.certify(name, "extendedKeyUsage=clientAuth");
    }
    authority.list("ca.crl", Instant.now().plus(DAY));
    writeCallers("manager", "leaver", "stolen", "judge");
    site = Site.create(home);
    keywell = KeywellProcess.startJar(List.of(), settings("0"), home.resolve("log"));
    http = keywell.awaitReady();
    management = keywell.management();
    port = keywell.kmipPort();
  }

  @AfterAll
  void stop() throws Exception {
    keywell.terminate();
    assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
    assertThat(pairs("claimed_key")).as("pairs that are claimed and nobody's").isZero();
    site.close();
  }

  /** HTTP stays as it is: without TLS, on loopback. */
  private Map<String, String> settings(String port) {
    Map<String, String> kmip = new HashMap<>(authority.serverSettings());
    kmip.keySet().removeIf(name -> name.startsWith("server.ssl."));
    kmip.put("keywell.kmip.enabled", "true");
    kmip.put("keywell.kmip.port", port);
    kmip.put("keywell.kmip.bundle", "service");
    kmip.put("keywell.kmip.pool.rsa-2048.max-stored", "3");
    kmip.put("keywell.security.revocation.crl-file", files.resolve("ca.crl").toString());
    return site.settings(kmip);
  }

  private void writeCallers(String... names) throws IOException {
    StringBuilder yaml = new StringBuilder("callers:\n");
    for (String name : names) {
      yaml.append(
          "  - {name: %1$s, certificate: {subject: CN=%1$s}, roles: [manage, export]}\n"
              .formatted(name));
    }
    yaml.append(
        """
          - name: hasty
            certificate: {subject: CN=hasty}
            roles: [manage]
            rate-per-second: 1
            burst: 3
        """);
    Files.writeString(files.resolve("callers.yaml"), yaml);
  }

  private KmipConnection as(String name) throws IOException {
    return new KmipConnection(authority.context(name), port);
  }

  @Test
  void aCallerIsTold() throws IOException {
    try (KmipConnection manager = as("manager")) {
      assertThat(manager.ask("DiscoverVersions")).containsExactly("DiscoverVersions", "Success");
      assertThat(manager.ask("Query", Tag.named("QueryFunction").item("QueryOperations")))
          .startsWith("Query", "Success")
          .contains("DiscoverVersions");
      assertThat(manager.ask("Poll")).contains("OperationFailed", "OperationNotSupported");
    }
  }

  /** As its signing requests do, and its connection stays. */
  @Test
  void operationsCountAgainstTheCallersRate() throws Exception {
    try (KmipConnection hasty = as("hasty")) {
      int served = 0;
      while (served < 50 && hasty.isServed()) {
        served++;
      }
      assertThat(served).isBetween(3, 10);
      Await.until("its bucket refills", hasty::isServed);
    }
  }

  @Test
  void aPairOfThePoolBecomesTheCallers() throws Exception {
    Await.until("pairs are made ahead", () -> pairs("pool_key") > 0);
    try (KmipConnection manager = as("manager")) {
      assertThat(manager.createPair(KeySpec.RSA_2048)).isPresent();
      assertThat(manager.ask("Activate")).contains("OperationFailed");
    }
    assertThat(number("SELECT count(*) FROM managed_object WHERE owner = 'manager'")).isEqualTo(2);
    assertThat(
            number(
                "SELECT sum(keys) FROM key_ledger WHERE move = 'given' AND wrapping_key_id LIKE"
                    + " 'keywell-managed:%'"))
        .isEqualTo(1);
  }

  @Test
  void operatorsSeeIt(@TempDir Path profile) throws Exception {
    try (KmipConnection manager = as("manager");
        Browser browser = Browser.start(profile)) {
      assertThat(manager.ask("Poll")).contains("OperationNotSupported");
      Await.until(
          "pairs are counted",
          () -> scrape("keywell_kmip_pairs", "tier", "stored", "key_spec", "RSA-2048") > 0);
      assertThat(scrape("keywell_kmip_pairs_capacity", "key_spec", "RSA-2048")).isEqualTo(3);
      assertThat(scrape("keywell_kmip_pairs_generated_total")).isPositive();
      assertThat(scrape("keywell_kmip_pairs_made_total")).isNotNegative();
      assertThat(scrape("keywell_kmip_connections_open")).isPositive();
      assertThat(scrape("keywell_kmip_connections_opened_total")).isPositive();
      assertThat(scrape("keywell_kmip_connections_refused_total")).isZero();
      assertThat(scrape("keywell_kmip_seconds_count", "operation", "Poll")).isPositive();
      assertThat(
              scrape("keywell_kmip_operations_total", "operation", "Poll", "result", "unsupported"))
          .isPositive();

      browser.open(http.base() + "/console");
      Await.until(
          "the console shows it",
          () ->
              browser
                  .text("#kmip .value")
                  .matches("(?s)[1-9]\\d* of 200.*RSA-2048 pairs: [1-9] ready"));
      assertThat(browser.errors()).isEmpty();
    }
  }

  private double scrape(String name, String... labels) throws Exception {
    return Scrape.parse(management.text("/actuator/prometheus")).value(name, labels);
  }

  private long pairs(String table) throws SQLException {
    return number(
        "SELECT count(*) FROM %s WHERE wrapping_key_id LIKE 'keywell-managed:%%'".formatted(table));
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = site.database().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  @org.junit.jupiter.api.Tag("lint")
  void aScannerFindsNothingWeak() throws Exception {
    SslScan scan = SslScan.of(port);
    assertThat(scan.versions()).containsExactly("tls 1.2", "tls 1.3");
    assertThat(scan.groups()).contains("x25519");
    assertThat(scan.weak()).isEmpty();
  }

  @Test
  @org.junit.jupiter.api.Tag("lint")
  void pyKmipUsesIt() throws Exception {
    assertThat(
            ForeignProgram.python(
                files,
                KmipIT.class,
                "pykmip_session.py",
                Integer.toString(port),
                "ca.pem",
                "judge.pem",
                "judge.key"))
        .contains(
            "AES key of 256 bits", "b'a block'", "VALID", "PERMISSION_DENIED", "located True");
  }

  @Test
  @org.junit.jupiter.api.Tag("lint")
  void kmipGoUsesIt() throws Exception {
    assertThat(
            ForeignProgram.run(
                files,
                "kmip-judge",
                "client",
                "127.0.0.1:" + port,
                "ca.pem",
                "judge.pem",
                "judge.key"))
        .contains(
            "version 1.4",
            "AES-256: created, used, located, destroyed",
            "SHA256-RSA: signed and verified, public key of 294 bytes",
            "ECDSA-SHA256: signed and verified, public key of 91 bytes");
  }

  /** Its requests are of KMIP 1.0 to 1.2, the lowest version that has the operation. */
  @Test
  @org.junit.jupiter.api.Tag("lint")
  void kmipProtocolUsesIt() throws Exception {
    assumeTrue(Files.isExecutable(ForeignProgram.find("kmip-rust")), "kmip-rust needs cargo");
    assertThat(
            ForeignProgram.run(
                files, "kmip-rust", "127.0.0.1:" + port, "ca.pem", "judge.pem", "judge.key"))
        .containsExactly(
            "query: Keywell, signs true, makes pairs true",
            "AES of 256 bits: got, renamed, located, destroyed",
            "RSA-2048: signed, verified, destroyed",
            "random bytes: 32");
  }

  @Test
  void whoHasNoCertificateOrIsNoCallerIsRefused() throws IOException {
    assertThatThrownBy(
            () -> new KmipConnection(authority.context(null), port).ask("DiscoverVersions"))
        .isInstanceOf(IOException.class);
    try (KmipConnection stranger = as("stranger")) {
      assertRefused(stranger.ask("DiscoverVersions"));
      assertThat(stranger.ends()).isTrue();
    }
    assertThat(keywell.log()).contains("KMIP requests of refused clients: 1; the last: CN=");
  }

  @Test
  void aRevokedCertificateIsRefusedOnAnOpenConnection() throws Exception {
    try (KmipConnection stolen = as("stolen")) {
      assertThat(stolen.ask("DiscoverVersions")).contains("Success");
      authority.revoke("stolen");
      authority.list("ca.crl", Instant.now().plus(DAY));
      assertRefusedSoon(stolen);
    }
  }

  @Test
  void aCallerThatIsTakenOutIsRefusedOnAnOpenConnection() throws Exception {
    try (KmipConnection leaver = as("leaver")) {
      assertThat(leaver.ask("DiscoverVersions")).contains("Success");
      writeCallers("manager", "stolen", "judge");
      assertRefusedSoon(leaver);
    }
  }

  private static void assertRefusedSoon(KmipConnection connection) throws Exception {
    Await.until(
        "it is refused",
        () -> connection.ask("DiscoverVersions").contains("AuthenticationNotSuccessful"));
    assertThat(connection.ends()).isTrue();
  }

  private static void assertRefused(List<String> answer) {
    assertThat(answer).containsExactly("OperationFailed", "AuthenticationNotSuccessful");
  }

  @Test
  void aTakenPortStopsAnotherStart(@TempDir Path home) throws Exception {
    Path log = home.resolve("log");
    try (KeywellProcess second =
        KeywellProcess.startJar(List.of(), settings(Integer.toString(port)), log)) {
      assertThat(second.awaitExit()).isEqualTo(2);
      assertThat(second.log().strip())
          .isEqualTo(
              "keywell: port %d, for KMIP, cannot be used (Address already in use); choose another:"
                      .formatted(port)
                  + " keywell.kmip.port or KEYWELL_KMIP_PORT");
    }
  }
}
