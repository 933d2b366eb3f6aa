package org.keywell.acceptance;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.service.kmip.KmipDoor;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;
import org.keywell.testkit.TlsAuthority;

/** TLS by a key that stays in an HSM, of two: east has it, west only signs. */
@Timeout(240)
@Tag("fault")
final class ServerKeyIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final String LABEL = "keywell-server";
  private static final String CERTIFICATE = "spring.ssl.bundle.pem.service.keystore.certificate";

  private final Database database = PostgresForTests.newDatabase();
  private final SoftHsmToken west = SoftHsmToken.create();
  private final Path home;
  private final OpenSsl openssl;
  private final TlsAuthority authority;
  private final FaultyModule module;
  private final SoftHsmToken east;

  ServerKeyIT(@TempDir Path home) throws Exception {
    this.home = home;
    openssl = new OpenSsl(home);
    module = FaultyModule.create(home.resolve("east"));
    east = SoftHsmToken.create(module.path());
    authority = TlsAuthority.create(home, "ca");
    authority.certify("client", "extendedKeyUsage=clientAuth");
    authority.list("ca.crl", Instant.now().plusSeconds(3600));
    Files.writeString(
        home.resolve("callers.yaml"),
        """
        callers:
          - {name: client, certificate: {subject: CN=client}, roles: [sign, manage], identity: trusted-caller}
        """);
    assertThat(run(0, "bootstrap")).contains("created: wrapping key");
  }

  @AfterEach
  void endFaults() {
    module.close();
  }

  private Map<String, String> settings(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(authority.serverSettings());
    all.remove("spring.ssl.bundle.pem.service.keystore.private-key");
    all.put("spring.ssl.bundle.pem.service.options.enabled-protocols", "TLSv1.3,TLSv1.2");
    all.put("spring.ssl.bundle.pem.service.reload-on-update", "true");
    all.put("spring.ssl.bundle.watch.file.quiet-period", "100ms");
    all.put("keywell.server-key.label", LABEL);
    all.put("keywell.server-key.bundles", "service");
    all.putAll(Settings.pool(SPEC, 5));
    all.put("keywell.pool.specs." + SPEC.label() + ".max-stored", "40");
    all.put("keywell.hsm.bootstrap", "never");
    all.put("keywell.hsm.call-limit", "2s");
    all.put("keywell.hsm.hang-limit", "0");
    all.putAll(Settings.besides(west));
    all.put("keywell.security.revocation.crl-file", home.resolve("ca.crl").toString());
    all.putAll(more);
    return Settings.of(east, database, home, all);
  }

  private String run(int exitCode, String... command) throws Exception {
    Path log = Files.createTempFile(home, command[0], ".log");
    try (KeywellProcess process = KeywellProcess.start(settings(Map.of()), log, command)) {
      assertThat(process.awaitExit()).as(process.log()).isEqualTo(exitCode);
      return process.log();
    }
  }

  /** Makes the key, if it is missing, and a certificate for it. */
  private void certify(String file) throws Exception {
    Path request = home.resolve(file + ".csr");
    assertThat(
            run(
                0,
                "server-request",
                "--host",
                "127.0.0.1",
                "--host",
                "keywell.example",
                request.toString()))
        .contains("keywell.example", request.toString());
    assertThat(openssl.run("req", "-in", file + ".csr", "-verify", "-noout", "-text"))
        .contains("verify OK", "DNS:keywell.example", "IP Address:127.0.0.1", "prime256v1");
    String command =
        "x509 -req -in %1$s.csr -CA ca.pem -CAkey ca.key -days 1 -copy_extensions copy -out %1$s.new"
            .formatted(file);
    openssl.run(command.split(" "));
    Files.move(home.resolve(file + ".new"), home.resolve(file), StandardCopyOption.ATOMIC_MOVE);
  }

  private RunningKeywell start(Map<String, String> more) {
    return RunningKeywell.start(settings(more));
  }

  /** On connections of its own. */
  private HttpApi connect(RunningKeywell keywell) {
    return new HttpApi(
        HttpClient.newBuilder().sslContext(authority.context("client")).build(),
        URI.create("https://127.0.0.1:" + keywell.port()));
  }

  private static int sign(HttpApi http) throws IOException, InterruptedException {
    return http.sign(SignBody.of("document").keySpec(SPEC)).status();
  }

  private String handshake(int port, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("s_client", "-connect", "127.0.0.1:" + port, "-CAfile", "ca.pem"));
    command.addAll(List.of("-cert", "client.pem", "-key", "client.key", "-verify_return_error"));
    command.addAll(List.of(options));
    return openssl.say("", command.toArray(String[]::new));
  }

  @Test
  void everyPortShakesHandsByTheKeyInTheHsm() throws Exception {
    certify("server.pem");
    try (RunningKeywell keywell =
        start(
            Map.of(
                "keywell.hsm.bootstrap", "if-missing",
                "keywell.kmip.enabled", "true",
                "keywell.kmip.port", "0",
                "keywell.kmip.bundle", "service"))) {
      Await.until("it signs", () -> sign(connect(keywell)) == 200);
      String kmip = keywell.part(KmipDoor.class).address();
      for (int port :
          List.of(keywell.port(), Integer.parseInt(kmip.substring(kmip.lastIndexOf(':') + 1)))) {
        for (String version : List.of("-tls1_3", "-tls1_2")) {
          assertThat(handshake(port, version, "-verify_ip", "127.0.0.1"))
              .contains("Verify return code: 0 (ok)", "Peer signature type: ECDSA");
        }
      }
      String before = serial(keywell);
      // The same key, certified again: no restart, and no second key.
      certify("server.pem");
      Await.until("the new certificate is shown", () -> !serial(keywell).equals(before));
      assertThat(sign(connect(keywell))).isEqualTo(200);
      assertKnown();
    }
  }

  private void assertKnown() throws Exception {
    try (HikariDataSource dataSource = database.dataSource()) {
      Sql sql = new Sql(dataSource);
      Await.until(
          "both tokens have been looked through",
          () -> sql.count("SELECT count(*) FROM key_report WHERE part LIKE 'stray%'") == 2);
      assertThat(
              sql.texts(
                  "SELECT part FROM key_report WHERE part LIKE 'stray%' AND found > expected"))
          .isEmpty();
    }
  }

  private String serial(RunningKeywell keywell) throws IOException, InterruptedException {
    openssl.write("shown.pem", handshake(keywell.port()));
    return openssl.run("x509", "-in", "shown.pem", "-noout", "-serial");
  }

  @Test
  void whileItsHsmIsAwayKeptConnectionsSignInTheOtherAndNewOnesComeBackWithIt() throws Exception {
    certify("server.pem");
    try (RunningKeywell keywell = start(Map.of())) {
      HttpApi kept = connect(keywell);
      Await.until("it signs", () -> sign(kept) == 200);
      module.gone(CKR_DEVICE_REMOVED);
      module.forgetSessions();

      assertThatThrownBy(() -> sign(connect(keywell))).isInstanceOf(IOException.class);
      Await.until("west signs", () -> sign(kept) == 200);

      module.back();
      Await.until("a new connection is served", () -> signs(connect(keywell)));
    }
  }

  @Test
  void whileItsHsmHangsNewConnectionsEndInTimeAndKeptOnesSignInTheOther() throws Exception {
    certify("server.pem");
    try (RunningKeywell keywell = start(Map.of("keywell.http.head-time", "5s"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpApi kept = connect(keywell);
      Await.until("it signs", () -> sign(kept) == 200);
      module.inject("C_Sign", Fault.hanging());

      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        all.add(threads.submit(() -> signs(connect(keywell))));
      }
      Await.until("west signs", () -> sign(kept) == 200);
      module.clear("C_Sign");
      for (Future<Boolean> each : all) {
        boolean _ = each.get(60, SECONDS);
      }
      Await.until("a new connection is served", () -> signs(connect(keywell)));
    }
  }

  private static boolean signs(HttpApi http) throws InterruptedException {
    try {
      return sign(http) == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void settingsThatDoNotSuitStopTheStart() throws Exception {
    certify("server.pem");
    String key = "spring.ssl.bundle.pem.service.keystore.private-key";
    assertRefused(
        Map.of(CERTIFICATE, uri("client.pem")),
        "the bundle 'service' has no certificate of the key 'keywell-server'");
    assertRefused(
        Map.of(CERTIFICATE, uri("client.pem"), key, uri("client.key")),
        "the bundle 'service' has a private key of its own");
    assertRefused(
        Map.of("keywell.server-key.label", "none"),
        "device east: the token has no key 'none': run server-request");
    assertRefused(Map.of("keywell.server-key.device", "north"), "those that sign are [east, west]");
  }

  private String uri(String file) {
    return home.resolve(file).toUri().toString();
  }

  private void assertRefused(Map<String, String> settings, String why) {
    assertThatThrownBy(() -> start(settings).close()).hasStackTraceContaining(why);
  }
}
