package org.keywell.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.token.PemCertificates;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.Await;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import tools.jackson.databind.JsonNode;

/** The issuing CAs and their root are renewed beside instances that sign. */
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Tag("fault")
@Timeout(400)
final class CaRenewalIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int LOADED = 20;
  private static final String LISTS = "http://crl.example.org/ca/crl/";
  private static final String RESPONDERS = "http://ocsp.example.org/ca/ocsp/";
  private static final String TAKEN_UP = "certifies by another key or certificate";
  private static final String CREATED = "created: issuing CA";
  private static final String ISSUING_EXTENSIONS =
      """
      basicConstraints = critical, CA:TRUE, pathlen:0
      keyUsage = critical, keyCertSign, cRLSign
      subjectKeyIdentifier = hash
      authorityKeyIdentifier = keyid
      """;

  @TempDir Path home;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Database database = PostgresForTests.newDatabase();
  private final HikariDataSource dataSource = database.dataSource();
  private final SoftHsmToken east = SoftHsmToken.create();
  private final Map<String, String> more = new HashMap<>(Settings.pool(SPEC, LOADED));
  private final List<KeywellProcess> processes = new ArrayList<>();

  @AfterEach
  void close() {
    processes.forEach(KeywellProcess::close);
    dataSource.close();
    client.close();
  }

  private KeywellProcess start(String instance, String... command) throws Exception {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("keywell.instance", instance);
    settings.put("keywell.pool.when-empty", "generate");
    settings.put("keywell.ca.crl.uri", LISTS);
    settings.put("keywell.ca.profile.crls-by-day", "true");
    settings.put("keywell.ca.ocsp.uri", RESPONDERS);
    settings.put("keywell.database.owner.username", database.asOwner().username());
    settings.put("keywell.database.owner.password", database.asOwner().password());
    settings.put("keywell.tsa.enabled", "true");
    Path log = home.resolve(instance + "-" + command[0] + "-" + System.nanoTime() + ".log");
    KeywellProcess process =
        KeywellProcess.start(Settings.of(east, database, home, settings), log, command);
    processes.add(process);
    return process;
  }

  private String run(int exitCode, String... command) throws Exception {
    KeywellProcess process = start("command", command);
    assertThat(process.awaitExit()).as(process.log()).isEqualTo(exitCode);
    return process.log();
  }

  private static void awaitTakenUp(int times, KeywellProcess... services) throws Exception {
    for (KeywellProcess service : services) {
      Await.until("new keys certify", () -> count(TAKEN_UP, service.log()) >= times);
    }
  }

  private static int count(String what, String text) {
    return text.split(what, -1).length - 1;
  }

  /** Threads that ask each instance, and keep each answer. */
  private static final class Callers implements AutoCloseable {
    private record Signed(String document, HttpApi.Answer answer) {}

    private final Queue<Signed> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Map<String, Set<String>> issuers = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    Callers(HttpApi... instances) {
      for (HttpApi http : instances) {
        for (int i = 0; i < 2; i++) {
          threads.add(Thread.ofPlatform().start(() -> ask(http)));
        }
      }
    }

    private void ask(HttpApi http) {
      try {
        while (!stopped) {
          String document = UUID.randomUUID().toString();
          HttpApi.Answer answer = http.sign(SignBody.of(document).keySpec(SPEC));
          answers.add(new Signed(document, answer));
          JsonNode chain = answer.body().path("certificateChain");
          issuers
              .computeIfAbsent(chain.path(2).asString(), _ -> ConcurrentHashMap.newKeySet())
              .add(chain.path(1).asString());
          Thread.sleep(100);
        }
      } catch (Exception e) {
        failures.add(e);
      }
    }

    void awaitMore(int count) throws InterruptedException {
      int before = answers.size();
      Await.until("more answers", () -> answers.size() >= before + count);
    }

    /** Requires that all were signed. Returns an answer of each issuing key. */
    Map<X509Certificate, SignedAnswer> verifyAll() throws Exception {
      close();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      Map<X509Certificate, SignedAnswer> byIssuer = new LinkedHashMap<>();
      for (Signed signed : answers) {
        assertThat(signed.answer().status()).as(signed.answer().body().toString()).isEqualTo(200);
        SignedAnswer answer = SignedAnswer.of(signed.answer());
        answer.verify("SHA256withECDSA", signed.document().getBytes(UTF_8));
        byIssuer.put(answer.chain().get(1), answer);
      }
      System.out.printf("renewal: %d signatures verify%n", answers.size());
      return byIssuer;
    }

    @Override
    public void close() {
      stopped = true;
    }
  }

  private byte[] list(HttpApi http, CrlShard shard) throws Exception {
    HttpResponse<byte[]> answer =
        client.send(
            HttpRequest.newBuilder(http.base().resolve("/ca/crl/" + shard.path())).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.statusCode()).as(shard.path()).isEqualTo(200);
    return answer.body();
  }

  private static CrlShard listOf(X509Certificate certificate) {
    URI address = CrlShard.namedBy(certificate).orElseThrow();
    assertThat(address.toString()).startsWith(LISTS);
    return CrlShard.at(address.toString()).orElseThrow();
  }

  /** What openssl says of a signer's certificate, with the list that it names. */
  private String verdict(HttpApi http, List<X509Certificate> chain) throws Exception {
    OpenSsl openssl = new OpenSsl(home);
    Files.write(home.resolve("day.crl"), list(http, listOf(chain.getFirst())));
    openssl.run("crl", "-inform", "DER", "-in", "day.crl", "-out", "day.pem");
    openssl.write("leaf.pem", OpenSsl.pem(chain.subList(0, 1)));
    openssl.write("untrusted.pem", OpenSsl.pem(chain.subList(1, 2)));
    return openssl.attempt(
        "verify",
        "-x509_strict",
        "-crl_check",
        "-CRLfile",
        "day.pem",
        "-CAfile",
        "ca/root.pem",
        "-untrusted",
        "untrusted.pem",
        "leaf.pem");
  }

  private void assertListsOf(HttpApi http, Map<X509Certificate, SignedAnswer> byIssuer)
      throws Exception {
    for (X509Certificate issuer : byIssuer.keySet()) {
      assertThat(verdict(http, byIssuer.get(issuer).chain())).contains("leaf.pem: OK");
      assertThat(list(http, CrlShard.ofServices(CrlShard.issuer(issuer)))).isNotEmpty();
    }
  }

  private String ocspVerdict(HttpApi http, List<X509Certificate> chain) throws Exception {
    OpenSsl openssl = new OpenSsl(home);
    openssl.write("leaf.pem", OpenSsl.pem(chain.subList(0, 1)));
    openssl.write("untrusted.pem", OpenSsl.pem(chain.subList(1, 2)));
    return openssl.attempt(
        "ocsp",
        "-url",
        http.base() + "/ca/ocsp/" + issuer(chain),
        "-issuer",
        "untrusted.pem",
        "-cert",
        "leaf.pem",
        "-CAfile",
        "ca/root.pem");
  }

  private static String issuer(List<X509Certificate> chain) {
    return HexFormat.of().formatHex(CrlShard.issuer(chain.get(1)));
  }

  private void assertAnswered(HttpApi http, Map<X509Certificate, SignedAnswer> byIssuer)
      throws Exception {
    for (SignedAnswer answer : byIssuer.values()) {
      assertThat(ocspVerdict(http, answer.chain()))
          .contains("Response verify OK", "leaf.pem: good");
    }
  }

  private static void awaitNamed(HttpApi http, X509Certificate before) throws Exception {
    Await.until(
        "certificates of a new key name its responder",
        () -> {
          List<X509Certificate> chain =
              SignedAnswer.of(http.sign(SignBody.of("named").keySpec(SPEC))).chain();
          String content = new String(chain.getFirst().getEncoded(), ISO_8859_1);
          return !chain.get(1).equals(before) && content.contains(RESPONDERS + issuer(chain));
        });
  }

  /** Kills it at moments between its first and its last step, and then lets it end. */
  private String renewKilledMeanwhile(String... command) throws Exception {
    long began = System.nanoTime();
    String all = run(0, "renew-ca", "--generation", "2", "--device", "east");
    long nanos = System.nanoTime() - began;
    for (double part : new double[] {0.6, 0.75, 0.9}) {
      KeywellProcess process = start("command", command);
      Thread.sleep(Duration.ofNanos((long) (nanos * part)));
      process.kill();
    }
    return all + run(0, command);
  }

  @Test
  void twoInstancesSignOnWhileTheirCasAreRenewed() throws Exception {
    SoftHsmToken west = SoftHsmToken.create();
    more.putAll(Settings.besides(west));
    String _ = run(0, "bootstrap");
    String oldRoot = Files.readString(home.resolve("ca").resolve("root.pem"));
    KeywellProcess first = start("one", "serve");
    HttpApi one = first.awaitReady();
    KeywellProcess second = start("two", "serve");
    HttpApi two = second.awaitReady();
    String units = one.text("/tsa/chain");
    try (Callers callers = new Callers(one, two)) {
      callers.awaitMore(60);

      String renewed = renewKilledMeanwhile("renew-ca", "--generation", "2");

      assertThat(renewed).contains(" in device east", " in device west", "OCSP key 'keywell-ocsp~");
      assertThat(run(0, "renew-ca", "--generation", "2")).doesNotContain("created: ");
      awaitTakenUp(2, first, second);
      callers.awaitMore(60);
      assertThat(run(0, "renew-ca", "--root", "--generation", "2"))
          .contains("created: root 'keywell-root~2'", "cross.pem");
      // An HSM in which a run was killed may be a number ahead.
      int generation = 3;
      while (count(CREATED, run(0, "renew-ca", "--generation", Integer.toString(generation))) < 2) {
        generation++;
      }
      assertThat(generation).isLessThanOrEqualTo(7);
      Await.until(
          "each HSM's CA certifies under the new root",
          () -> callers.issuers.values().stream().filter(keys -> keys.size() >= 2).count() == 2);
      awaitTakenUp(4, first, second);
      callers.awaitMore(60);

      Map<X509Certificate, SignedAnswer> byIssuer = callers.verifyAll();
      assertThat(byIssuer).hasSizeGreaterThanOrEqualTo(6);
      assertListsOf(one, byIssuer);
      assertAnswered(one, byIssuer);
      assertAnswered(two, byIssuer);
      X509Certificate before = byIssuer.keySet().iterator().next();
      awaitNamed(one, before);
      awaitNamed(two, before);
      assertThat(PemCertificates.read(one.text("/ca/chain"))).containsAll(byIssuer.keySet());
      List<SignedAnswer> oldestFirst = List.copyOf(byIssuer.values());
      for (SignedAnswer revoked : List.of(oldestFirst.getFirst(), oldestFirst.getLast())) {
        assertRevoked(two, revoked);
        assertThat(ocspVerdict(one, revoked.chain())).contains("leaf.pem: revoked");
        assertThat(ocspVerdict(two, revoked.chain())).contains("leaf.pem: revoked");
      }
      assertVerifyByTheOldRoot(oldRoot, byIssuer);
    }
    assertThat(one.text("/tsa/chain")).as("units keep their certificates").isEqualTo(units);
  }

  private void assertRevoked(HttpApi http, SignedAnswer before) throws Exception {
    String der = Base64.getEncoder().encodeToString(before.chain().getFirst().getEncoded());
    HttpApi.Answer answer =
        http.post(
            "/ca/revocations",
            "application/json",
            HttpRequest.BodyPublishers.ofString(
                "{\"certificate\": \"%s\", \"reason\": \"superseded\"}".formatted(der)));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    Await.until(
        "a key that certifies no more lists it",
        () -> verdict(http, before.chain()).contains("certificate revoked"));
  }

  private void assertVerifyByTheOldRoot(String oldRoot, Map<X509Certificate, SignedAnswer> byIssuer)
      throws Exception {
    OpenSsl openssl = new OpenSsl(home);
    Path old = home.resolve(openssl.write("old.pem", oldRoot));
    List<X509Certificate> cross =
        PemCertificates.read(Files.readString(home.resolve("ca").resolve("cross.pem")));
    int underNew = 0;
    for (SignedAnswer answer : byIssuer.values()) {
      List<X509Certificate> chain = answer.chain();
      openssl.verifyChain(chain, home.resolve("ca").resolve("root.pem"));
      if (chain.getLast().equals(PemCertificates.read(oldRoot).getFirst())) {
        openssl.verifyChain(chain, old);
      } else {
        underNew++;
        openssl.verifyChain(
            List.of(chain.getFirst(), chain.get(1), cross.getFirst(), chain.getLast()), old);
      }
    }
    assertThat(underNew).isBetween(2, 3);
  }

  /** As docs/operations/ca-renewal.md has it. */
  @Test
  void aRootElsewhereIsRenewedToo() throws Exception {
    OpenSsl openssl = new OpenSsl(home);
    openssl.write("issuing.ext", ISSUING_EXTENSIONS);
    openssl.write("cross.ext", ISSUING_EXTENSIONS.replace(", pathlen:0", ""));
    makeRoot(openssl, "root", "Example Root");
    String _ = run(0, "ca-request", home.resolve("issuing.csr").toString());
    String _ = run(0, "ca-import", answered(openssl, "issuing.csr", "root"));
    KeywellProcess service = start("one", "serve");
    HttpApi http = service.awaitReady();
    try (Callers callers = new Callers(http)) {
      callers.awaitMore(20);
      assertThat(run(2, "renew-ca", "--generation", "2")).contains("its root is elsewhere");
      Path request = home.resolve("issuing-2.csr");
      String _ = run(0, "ca-request", "--new-key", request.toString());
      String _ = run(0, "ca-request", "--new-key", request.toString());
      String _ = run(0, "ca-import", answered(openssl, "issuing-2.csr", "root"));
      awaitTakenUp(1, service);
      callers.awaitMore(20);

      makeRoot(openssl, "root-2", "Example Root 2");
      openssl.run(
          "req",
          "-new",
          "-key",
          "root-2.key",
          "-subj",
          "/O=Example/CN=Example Root 2",
          "-out",
          "cross.csr");
      certify(openssl, "cross.csr", "root", "cross");
      String _ = run(0, "ca-request", "--new-key", home.resolve("issuing-3.csr").toString());
      String _ = run(0, "ca-import", answered(openssl, "issuing-3.csr", "root-2"));
      awaitTakenUp(2, service);
      callers.awaitMore(20);

      Map<X509Certificate, SignedAnswer> byIssuer = callers.verifyAll();
      assertThat(byIssuer).hasSize(3);
      assertListsOf(http, byIssuer);
      assertAnswered(http, byIssuer);
      awaitNamed(http, byIssuer.keySet().iterator().next());
      List<X509Certificate> last = List.copyOf(byIssuer.values()).getLast().chain();
      openssl.verifyChain(last, home.resolve("root-2.pem"));
      List<X509Certificate> cross =
          PemCertificates.read(Files.readString(home.resolve("cross.pem")));
      openssl.verifyChain(
          List.of(last.getFirst(), last.get(1), cross.getFirst(), last.getLast()),
          home.resolve("root.pem"));
    }
    assertThat(PemCertificates.read(Files.readString(home.resolve("ca").resolve("root.pem"))))
        .hasSize(2);
  }

  private static void makeRoot(OpenSsl openssl, String name, String commonName) throws Exception {
    openssl.run(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-384",
        "-sha384",
        "-days",
        "3650",
        "-subj",
        "/O=Example/CN=" + commonName,
        "-addext",
        "keyUsage=critical,keyCertSign,cRLSign",
        "-nodes",
        "-keyout",
        name + ".key",
        "-out",
        name + ".pem");
  }

  private static void certify(OpenSsl openssl, String request, String root, String name)
      throws Exception {
    openssl.run(
        "x509",
        "-req",
        "-in",
        request,
        "-CA",
        root + ".pem",
        "-CAkey",
        root + ".key",
        "-days",
        "1825",
        "-sha384",
        "-extfile",
        name + ".ext",
        "-out",
        name + ".pem");
  }

  private String answered(OpenSsl openssl, String request, String root) throws Exception {
    certify(openssl, request, root, "issuing");
    return home.resolve(
            openssl.write(
                "chain.pem",
                Files.readString(home.resolve("issuing.pem"))
                    + Files.readString(home.resolve(root + ".pem"))))
        .toString();
  }
}
