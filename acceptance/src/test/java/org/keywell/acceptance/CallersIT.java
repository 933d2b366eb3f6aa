package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ActCalls;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.rest.security.EndpointRoles.Endpoint;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.caller.Role;
import org.keywell.signing.log.LogNotes;
import org.keywell.testkit.Await;
import org.keywell.testkit.KeptConnection;
import org.keywell.testkit.TlsAuthority;

/** Over real TLS, at both ports: who may do what, and whose results are whose. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class CallersIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 5;

  /** Trusted by the port, and in no file. */
  private static final String STRANGER = "stranger";

  /** Signs, as the caller {@code sign} does, and is another. */
  private static final String OTHER = "other";

  /** May ask for keys that the service does not have for it. */
  private static final String ONLY_RSA = "only-rsa";

  private final Map<String, HttpClient> clients = new HashMap<>();
  private Path files;
  private TlsAuthority authority;
  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path home, @TempDir Path files) throws Exception {
    this.files = files;
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1,DNS:localhost");
    List<String> names = new ArrayList<>(List.of(STRANGER, OTHER, ONLY_RSA));
    EnumSet.allOf(Role.class).forEach(role -> names.add(role.label()));
    for (String name : names) {
      authority.certify(
          name, "extendedKeyUsage=clientAuth", "subjectAltName=URI:spiffe://test/" + name);
    }
    writeCallers(callers());
    site = Site.create(home);
    site.stock(SPEC, STOCK);
    keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, STOCK), tls()));
    keywell.awaitLoaded(SPEC, STOCK);
  }

  @AfterAll
  void stop() {
    clients.values().forEach(HttpClient::close);
    keywell.close();
    site.close();
  }

  private Map<String, String> tls() {
    String bundle = "spring.ssl.bundle.pem.test.";
    Map<String, String> settings = new HashMap<>();
    settings.put(bundle + "keystore.certificate", uri("server.pem"));
    settings.put(bundle + "keystore.private-key", uri("server.key"));
    settings.put(bundle + "truststore.certificate", uri("ca.pem"));
    for (String port : List.of("server", "management.server")) {
      settings.put(port + ".ssl.bundle", "test");
      settings.put(port + ".ssl.client-auth", "need");
    }
    settings.put("keywell.security.callers-file", files.resolve("callers.yaml").toString());
    return settings;
  }

  private String uri(String file) {
    return files.resolve(file).toUri().toString();
  }

  /** One caller for each role, of which one is known by its URI. */
  private static String callers() {
    return """
    callers:
      - {name: sign, certificate: {subject: CN=sign}, roles: [sign], identity: trusted-caller}
      - {name: read, certificate: {subject: CN=read}, roles: [read]}
      - {name: operate, certificate: {subject: CN=operate}, roles: [operate]}
      - {name: manage, certificate: {subject: CN=manage}, roles: [manage]}
      - {name: export, certificate: {subject: CN=export}, roles: [export]}
      - {name: stamp, certificate: {subject: CN=stamp}, roles: [stamp]}
      - {name: observe, certificate: {san-uri: "spiffe://test/observe"}, roles: [observe]}
    """
        + caller(OTHER, "")
        + caller(ONLY_RSA, "key-specs: [RSA-2048],");
  }

  private static String caller(String name, String more) {
    return "  - {name: %1$s, certificate: {subject: CN=%1$s}, roles: [sign], %2$s identity: trusted-caller}\n"
        .formatted(name, more);
  }

  private void writeCallers(String yaml) throws Exception {
    Path next = Files.writeString(files.resolve("callers.new"), yaml);
    Files.move(next, files.resolve("callers.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }

  private HttpApi as(String caller) {
    return new HttpApi(client(caller), service());
  }

  private HttpClient client(String caller) {
    return clients.computeIfAbsent(
        caller, name -> HttpClient.newBuilder().sslContext(authority.context(name)).build());
  }

  private URI service() {
    return URI.create("https://127.0.0.1:" + keywell.port());
  }

  private URI management() {
    return URI.create("https://127.0.0.1:" + keywell.management().base().getPort());
  }

  /** Of all endpoints, at the port that has them: the right roles pass, all others are refused. */
  @TestFactory
  List<DynamicTest> eachEndpointIsForItsRolesAlone() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Endpoint endpoint : EndpointRoles.ofTheService().endpoints()) {
      for (Role role : Role.values()) {
        tests.add(
            DynamicTest.dynamicTest(
                endpoint.method() + " " + endpoint.path() + " as " + role.label(),
                () -> assertDecided(endpoint, role)));
      }
    }
    return tests;
  }

  private void assertDecided(Endpoint endpoint, Role role) throws Exception {
    HttpResponse<InputStream> answer = send(endpoint, role.label());
    try (InputStream body = answer.body()) {
      if (endpoint.anyOf().contains(role)) {
        assertThat(answer.statusCode()).isNotIn(401, 403, 405);
      } else {
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
            .contains("urn:keywell:problem:role-missing");
      }
    }
  }

  @TestFactory
  List<DynamicTest> whoIsNoCallerIsToldThatAndNothingElse() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Endpoint endpoint : EndpointRoles.ofTheService().endpoints()) {
      tests.add(
          DynamicTest.dynamicTest(
              endpoint.method() + " " + endpoint.path(),
              () -> assertUnknown(send(endpoint, STRANGER))));
    }
    for (URI port : List.of(service(), management())) {
      for (String path : List.of("/", "/nowhere", "/actuator/env", "/sign/x/y")) {
        tests.add(
            DynamicTest.dynamicTest(
                port + path,
                () ->
                    assertUnknown(
                        client(STRANGER)
                            .send(
                                HttpRequest.newBuilder(port.resolve(path)).build(),
                                HttpResponse.BodyHandlers.ofInputStream()))));
      }
    }
    return tests;
  }

  private static void assertUnknown(HttpResponse<InputStream> answer) throws Exception {
    try (InputStream body = answer.body()) {
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
          .contains("urn:keywell:problem:caller-unknown");
    }
  }

  /** The body, an empty object, comes after the decision: it is not what is refused. */
  private HttpResponse<InputStream> send(Endpoint endpoint, String caller) throws Exception {
    String path =
        endpoint
            .path()
            .getPatternString()
            .replace("{requestId}", UUID.randomUUID().toString())
            .replace("{actId}", UUID.randomUUID().toString())
            .replace("{issuer}", "0a".repeat(20))
            .replace("{list}", "services.crl")
            .replace("{name}", "console.css")
            .replace("{requiredMetricName}", "jvm.info")
            .replace("/health/**", "/health/liveness")
            .replace("/**", "/index.html");
    URI port = path.startsWith("/actuator") ? management() : service();
    return client(caller)
        .send(
            HttpRequest.newBuilder(port.resolve(path))
                .header("Content-Type", "application/json")
                .method(
                    endpoint.method(),
                    endpoint.method().equals("POST")
                        ? HttpRequest.BodyPublishers.ofString("{}")
                        : HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
  }

  /** Neither by GET nor by a repeated POST; the answers are those of an id that nobody has. */
  @Test
  void aResultIsItsCallersAndThoseWhoMayReadAll() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = SignBody.of("document").keySpec(SPEC).requestId(id);
    HttpApi.Answer first = as("sign").sign(body);
    assertThat(first.status()).as(first.body().toString()).isEqualTo(200);
    long rows = site.sql().count("SELECT count(*) FROM sign_request");

    UUID nobodys = UUID.randomUUID();
    String unknown = as(OTHER).result(nobodys).body().toString();
    assertThat(unknown).contains("request-unknown");
    for (HttpApi.Answer refused :
        List.of(
            as(OTHER).result(id),
            as(OTHER).sign(body),
            as(OTHER).sign(SignBody.of("another document").keySpec(SPEC).requestId(id)))) {
      assertThat(refused.status()).isEqualTo(404);
      assertThat(refused.body().toString().replace("\"/sign\"", "\"/sign/" + id + "\""))
          .as("but for the address, the answer for an id that nobody has")
          .isEqualTo(unknown.replace(nobodys.toString(), id.toString()));
    }
    assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isEqualTo(rows);
    assertThat(site.sql().text("SELECT caller FROM sign_request WHERE request_id = '" + id + "'"))
        .isEqualTo("sign");
    for (String caller : List.of("sign", "read")) {
      assertThat(as(caller).result(id).body()).as(caller).isEqualTo(first.body());
    }
    assertThat(as("sign").sign(body).body()).isEqualTo(first.body());
  }

  /** Another caller gets the same answer as for a missing act. */
  @Test
  void anActIsItsCallers() throws Exception {
    UUID id = UUID.randomUUID();
    List<byte[]> digests = ActCalls.digests("theirs", 1);
    ActCalls own = new ActCalls(as("sign"));
    ActCalls others = new ActCalls(as(OTHER));
    HttpApi.Answer opened = own.open(ActCalls.body(id, SPEC, 1));
    assertThat(opened.status()).as(opened.body().toString()).isEqualTo(201);

    UUID nobodys = UUID.randomUUID();
    assertThat(unnamed(others.find(id), id)).isEqualTo(unnamed(others.find(nobodys), nobodys));
    assertThat(unnamed(others.cancel(id), id)).isEqualTo(unnamed(others.cancel(nobodys), nobodys));
    assertThat(unnamed(others.sign(id, digests), id))
        .isEqualTo(unnamed(others.sign(nobodys, digests), nobodys))
        .contains("request-unknown");
    assertThat(others.open(ActCalls.body(id, SPEC, 1)).problem()).isEqualTo("request-unknown");
    assertThat(new ActCalls(as("read")).find(id).body()).isEqualTo(opened.body());
    assertThat(new ActCalls(as("read")).sign(id, digests).problem()).isEqualTo("role-missing");
    assertThat(new ActCalls(as("read")).cancel(id).problem()).isEqualTo("role-missing");

    assertThat(own.sign(id, digests).status()).isEqualTo(200);
    assertThat(unnamed(others.sign(id, digests), id)).contains("request-unknown");
  }

  private static String unnamed(HttpApi.Answer answer, UUID id) {
    return answer.status() + " " + answer.body().toString().replace(id.toString(), "ID");
  }

  @Test
  void aKeyOfAKindThatIsNotTheCallersIsRefusedWithoutTrace() throws Exception {
    long rows = site.sql().count("SELECT count(*) FROM sign_request");

    HttpApi.Answer refused = as(ONLY_RSA).sign(SignBody.of("document").keySpec(SPEC));

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.problem()).isEqualTo("key-spec-not-allowed");
    assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isEqualTo(rows);
  }

  /** The connection stays; the next look at the file ends what its caller may. */
  @Test
  void aCallerThatIsTakenOutIsRefusedOnAConnectionThatItKeeps() throws Exception {
    try (KeptConnection kept = new KeptConnection(authority.context("observe"), keywell.port())) {
      assertThat(kept.get("/pool").status()).isEqualTo(200);
      try {
        writeCallers(
            callers()
                .replace("- {name: observe", "- {name: observe-2")
                .replace("spiffe://test/observe", "spiffe://test/nobody"));
        Await.until("the caller is nobody", () -> kept.get("/pool").status() == 403);
        assertThat(kept.get("/pool").body()).contains("urn:keywell:problem:caller-unknown");
        writeCallers("callers: [{name: broken}]");
        assertThat(kept.get("/pool").status()).isEqualTo(403);
      } finally {
        writeCallers(callers());
      }
      Await.until("the caller is back", () -> kept.get("/pool").status() == 200);
    }
  }

  /** What the script for Compose writes is what the service reads. */
  @Test
  void theExamplesCallersAreThoseOfItsCertificates(@TempDir Path directory) throws Exception {
    Process script =
        new ProcessBuilder("bash", "../launcher/make-compose-secrets.sh", directory.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("made");
    assertThat(script.waitFor()).isZero();

    try (CallerRegister register =
        new CallerRegister(
            directory.resolve("callers.yaml"), "standard"::equals, LogNotes.none())) {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (String name : List.of("client", "monitor")) {
        try (InputStream pem = Files.newInputStream(directory.resolve(name + ".crt"))) {
          X509Certificate certificate = (X509Certificate) factory.generateCertificate(pem);
          assertThat(register.of(certificate).orElseThrow().name()).isEqualTo(name);
        }
      }
    }
  }

  /** Who may watch and not read sees nothing that leads to a result. */
  @Test
  void theConsoleShowsNoUsableId() throws Exception {
    UUID id = UUID.randomUUID();
    assertThat(as("sign").sign(SignBody.of("watched").keySpec(SPEC).requestId(id)).status())
        .isEqualTo(200);
    HttpResponse<InputStream> events =
        client("operate")
            .send(
                HttpRequest.newBuilder(service().resolve("/console/events")).build(),
                HttpResponse.BodyHandlers.ofInputStream());
    StringBuilder seen = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      String begins = id.toString().substring(0, 8);
      while (seen.indexOf(begins) < 0) {
        seen.append(lines.readLine()).append('\n');
      }
    }
    assertThat(seen.toString()).doesNotContain(id.toString());
    assertThat(as("operate").result(id).problem()).isEqualTo("role-missing");
  }
}
