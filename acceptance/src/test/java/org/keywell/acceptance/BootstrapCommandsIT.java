package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

/** The commands that prepare a token, as an operator runs them. */
final class BootstrapCommandsIT {

  @TempDir Path home;
  @TempDir Path files;

  @Test
  void bootstrapMakesWhatIsMissingAndNothingTwice() throws Exception {
    Map<String, String> settings = settings(SoftHsmToken.notYetCreated());

    String first = run(0, settings, "bootstrap");
    String second = run(0, settings, "bootstrap");

    assertThat(first.lines()).hasSize(4).allMatch(line -> line.startsWith("created: "));
    assertThat(second.lines()).hasSize(4).allMatch(line -> line.startsWith("exists:  "));
    // SoftHSM renumbers its slots once a token is initialised; the token is found by its label.
    assertThat(withoutSlot(second).replace("exists:  ", "created: ")).isEqualTo(withoutSlot(first));
    try (KeywellProcess keywell = serve(settings, "serve.log")) {
      assertSigns(keywell.awaitReady(), home.resolve("ca").resolve("root.pem"));
      keywell.terminate();
      keywell.awaitExit();
    }
  }

  /** Where a database keeps a log; elsewhere, the other tests run the same commands. */
  @Test
  void commandsAreLogged() throws Exception {
    Database database = PostgresForTests.newDatabase();
    Map<String, String> settings = new HashMap<>(settings(SoftHsmToken.notYetCreated(), database));
    settings.put("keywell.log.origin", "sign.example.org/log");
    try (HikariDataSource superuser = database.dataSource()) {
      Sql sql = new Sql(superuser);
      sql.update(
          "INSERT INTO log_tree (origin, size, root) VALUES ('sign.example.org/log', 0,"
              + " sha256(''))");

      String made = run(0, settings, "bootstrap");
      run(0, settings, "bootstrap");
      Path request = files.resolve("a.request");
      String asked = run(0, settings, "hsm", "transport", request.toString());
      run(0, settings, "migrate");

      List<String> entries =
          sql.texts("SELECT convert_from(entry, 'UTF8') FROM log_pending ORDER BY seq");
      assertThat(entries).hasSize(3);
      assertThat(made).contains("audit key 'keywell-log'");
      assertThat(entries.getFirst())
          .contains(
              "\"type\":\"bootstrap\"", "token '", "wrapping key ", "audit key 'keywell-log'");
      assertThat(entries.get(1))
          .contains("\"type\":\"enrolment\"", "hsm transport", fingerprint(asked))
          .doesNotContain(files.toString());
      assertThat(entries.get(2)).contains("\"type\":\"command\"", "\"migrate\"");
    }
  }

  private static String fingerprint(String report) {
    return report
        .lines()
        .filter(line -> line.startsWith("fingerprint: "))
        .findFirst()
        .orElseThrow();
  }

  /** A database that fails is told, and no reason for a command to fail. */
  @Test
  void whatIsNotLoggedIsTold() throws Exception {
    Map<String, String> settings = new HashMap<>(settings(SoftHsmToken.notYetCreated()));
    settings.put("keywell.log.origin", "sign.example.org/log");
    settings.put("keywell.database.url", "jdbc:postgresql://127.0.0.1:1/none");

    assertThat(run(0, settings, "bootstrap"))
        .contains("created: wrapping key ", "done, but not in the log: ");
  }

  /** Two tokens that do not exist: made, with one wrapping key, and a CA in each. */
  @Test
  void bootstrapMakesWhatSeveralDevicesLack() throws Exception {
    Map<String, String> settings = new HashMap<>(settings(SoftHsmToken.notYetCreated()));
    settings.put("keywell.hsm.devices[0].name", "east");
    settings.put("keywell.hsm.devices[1].name", "west");
    settings.put(
        "keywell.hsm.devices[1].token-label", SoftHsmToken.notYetCreated().config().tokenLabel());

    String first = run(0, settings, "bootstrap");
    String second = run(0, settings, "bootstrap");

    assertThat(first.lines()).allMatch(line -> line.startsWith("created: "));
    assertThat(first)
        .containsPattern("created: token '.*' in slot .*, in east")
        .containsPattern("created: token '.*' in slot .*, in west")
        .containsPattern("created: wrapping key .*, in east and west");
    assertThat(second.lines()).allMatch(line -> line.startsWith("exists:  "));
    assertThat(run(2, settings, "hsm", "transport", files.resolve("west.request").toString()))
        .contains("name one of [east, west] by --device");
    Path request = files.resolve("west.request");
    assertThat(run(0, settings, "hsm", "transport", "--device", "west", request.toString()))
        .contains(settings.get("keywell.hsm.devices[1].token-label"));
  }

  @Test
  void anIssuingCaUnderARootElsewhere() throws Exception {
    Map<String, String> settings = settings(SoftHsmToken.notYetCreated());
    OpenSsl openssl = new OpenSsl(files);
    makeRoot(openssl, "root", "/O=Bank/CN=Bank Root CA");
    makeRoot(openssl, "other", "/O=Bank/CN=Bank Root CA");
    Path request = files.resolve("request.pem");

    assertThat(run(0, settings, "ca-request", request.toString())).contains(request.toString());
    certify(openssl, "request.pem", "root", "issuing.pem");
    Path chain = concatenate("chain.pem", "issuing.pem", "root.pem");

    // Not its own certificate; one of another key; a root that did not sign it; and no certificate.
    assertRefused(settings, files.resolve("root.pem"));
    openssl.run(
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "stranger.key",
        "-out",
        "stranger.csr",
        "-subj",
        "/CN=Keywell Issuing CA");
    certify(openssl, "stranger.csr", "root", "stranger.pem");
    assertRefused(settings, concatenate("stranger-chain.pem", "stranger.pem", "root.pem"));
    assertRefused(settings, concatenate("forged-chain.pem", "issuing.pem", "other.pem"));
    assertRefused(settings, request);

    assertThat(run(2, settings, "serve")).contains("waits for the answer to its request");
    assertThat(run(0, settings, "ca-import", chain.toString()))
        .contains("imported: ", "Bank Root CA");
    try (KeywellProcess keywell = serve(settings, "serve.log")) {
      assertSigns(keywell.awaitReady(), files.resolve("root.pem"));
      keywell.terminate();
      keywell.awaitExit();
    }
    String before = Files.readString(home.resolve("ca").resolve("root.pem"));
    assertRefused(settings, concatenate("forged-again.pem", "issuing.pem", "other.pem"));
    assertThat(Files.readString(home.resolve("ca").resolve("root.pem"))).isEqualTo(before);
    assertThat(run(0, settings, "bootstrap").lines())
        .allMatch(line -> line.startsWith("exists:  "));
  }

  @Test
  void eachDeviceThatSignsHasAnIssuingCaUnderOneRoot() throws Exception {
    Map<String, String> settings = settings(SoftHsmToken.notYetCreated());
    List<String> names = List.of("east", "west");
    for (String name : names) {
      SoftHsmToken token = SoftHsmToken.notYetCreated();
      String device = "keywell.hsm.devices[" + names.indexOf(name) + "].";
      settings.put(device + "name", name);
      settings.put(device + "token-label", token.config().tokenLabel());
      settings.put(
          device + "pin-file",
          token.writePinFile(Files.createDirectory(files.resolve(name))).toString());
    }
    String request = files.resolve("request.pem").toString();

    assertThat(run(0, settings, "bootstrap").lines().filter(line -> line.contains(" CA")))
        .hasSize(3)
        .allMatch(line -> line.startsWith("created: "))
        .anyMatch(line -> line.contains("root") && line.endsWith("in device east"))
        .anyMatch(line -> line.contains("issuing") && line.endsWith("in device west"));
    assertThat(run(2, settings, "ca-request", request)).contains("[east, west] by --device");
    assertThat(run(0, settings, "ca-request", "--device", "west", request)).contains(request);

    Path root = home.resolve("ca").resolve("root.pem");
    try (KeywellProcess keywell = serve(settings, "serve.log")) {
      HttpApi http = keywell.awaitReady();
      Set<X509Certificate> issuers = new HashSet<>();
      for (int i = 0; i < 20 && issuers.size() < 2; i++) {
        issuers.add(assertSigned(http, root).chain().get(1));
      }
      assertThat(issuers)
          .hasSize(2)
          .extracting(X509Certificate::getSubjectX500Principal)
          .containsOnly(new X500Principal("CN=Keywell Issuing CA"));
      assertThat(http.text("/ca/chain").split("BEGIN CERTIFICATE", -1)).hasSize(1 + 3);
      keywell.terminate();
      keywell.awaitExit();
    }
  }

  @Test
  void theIssuingCaCertifiesAServer() throws Exception {
    Map<String, String> settings = new HashMap<>(settings(SoftHsmToken.notYetCreated()));
    OpenSsl openssl = new OpenSsl(files);
    openssl.run(
        "req",
        "-new",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-keyout",
        "server.key",
        "-subj",
        "/",
        "-out",
        "server.csr");
    String[] command = {
      "server-certificate",
      "--host",
      "keywell.example",
      "--host=::1",
      "--days=30",
      files.resolve("server.csr").toString(),
      files.resolve("server.pem").toString()
    };
    run(0, settings, "bootstrap");

    assertThat(run(0, settings, command)).contains("keywell.example, 0:0:0:0:0:0:0:1 written to ");
    for (List<String> name :
        List.of(List.of("-verify_hostname", "keywell.example"), List.of("-verify_ip", "::1"))) {
      openssl.run(
          "verify",
          "-x509_strict",
          "-purpose",
          "sslserver",
          name.getFirst(),
          name.getLast(),
          "-CAfile",
          home.resolve("ca").resolve("root.pem").toString(),
          "-untrusted",
          "server.pem",
          "server.pem");
    }
    settings.put("keywell.ca.profile.key-usage", "digitalSignature");
    assertThat(run(2, settings, command)).contains("profile standard", "could pass as servers");
  }

  private static String withoutSlot(String report) {
    return report.replaceFirst("slot \\d+", "slot");
  }

  private void assertRefused(Map<String, String> settings, Path file) throws Exception {
    assertThat(run(2, settings, "ca-import", file.toString()).lines())
        .singleElement()
        .satisfies(line -> assertThat(line).startsWith("keywell: ").doesNotContain("Exception"));
  }

  private void assertSigns(HttpApi http, Path root) throws Exception {
    SignedAnswer signed = assertSigned(http, root);
    assertThat(http.text("/ca/chain"))
        .isEqualTo(OpenSsl.pem(signed.chain().subList(1, signed.chain().size())));
  }

  /** The record has the same chain. */
  private SignedAnswer assertSigned(HttpApi http, Path root) throws Exception {
    HttpApi.Answer answer = http.sign(SignBody.of("document").keySpec(KeySpec.EC_P256));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer signed = SignedAnswer.of(answer);
    OpenSsl openssl = new OpenSsl(files);
    openssl.verifySignature(signed.signature(), signed.chain().getFirst(), "document", "-sha256");
    openssl.verifyChain(signed.chain(), root);
    HttpApi.Answer record = http.get("/sign/" + answer.body().get("requestId").asString());
    assertThat(SignedAnswer.of(record).chain()).isEqualTo(signed.chain());
    return signed;
  }

  /** A service that makes nothing by itself but keys. */
  private Map<String, String> settings(SoftHsmToken notYetCreated) throws Exception {
    return settings(notYetCreated, PostgresForTests.newDatabase());
  }

  private Map<String, String> settings(SoftHsmToken notYetCreated, Database database)
      throws Exception {
    return Settings.of(
        notYetCreated,
        database,
        home,
        Map.of(
            "keywell.hsm.bootstrap", "never",
            "keywell.hsm.so-pin-file", soPinFile().toString(),
            "keywell.pool.when-empty", "generate",
            "keywell.pool.specs.EC-P256.max-stored", "0"));
  }

  private Path soPinFile() throws Exception {
    Path file =
        Files.createFile(
            files.resolve("so-pin"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, "so-pin-for-tests");
  }

  private KeywellProcess serve(Map<String, String> settings, String log) throws Exception {
    return KeywellProcess.start(settings, files.resolve(log), "serve");
  }

  private String run(int exitCode, Map<String, String> settings, String... command)
      throws Exception {
    Path log = Files.createTempFile(files, command[0], ".log");
    try (KeywellProcess process = KeywellProcess.start(settings, log, command)) {
      assertThat(process.awaitExit()).as(process.log()).isEqualTo(exitCode);
      return process.log();
    }
  }

  private static void makeRoot(OpenSsl openssl, String name, String subject) throws Exception {
    openssl.run(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-384",
        "-nodes",
        "-keyout",
        name + ".key",
        "-out",
        name + ".pem",
        "-days",
        "9000",
        "-subj",
        subject,
        "-addext",
        "keyUsage=critical,keyCertSign,cRLSign");
  }

  private static void certify(OpenSsl openssl, String request, String root, String out)
      throws Exception {
    openssl.write(
        "ca.cnf",
        """
        basicConstraints = critical, CA:TRUE, pathlen:0
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid
        """);
    openssl.run(
        "x509",
        "-req",
        "-in",
        request,
        "-CA",
        root + ".pem",
        "-CAkey",
        root + ".key",
        "-CAcreateserial",
        "-days",
        "3000",
        "-extfile",
        "ca.cnf",
        "-out",
        out);
  }

  private Path concatenate(String name, String one, String other) throws Exception {
    return Files.writeString(
        files.resolve(name),
        Files.readString(files.resolve(one)) + Files.readString(files.resolve(other)));
  }
}
