package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.OpenSsl;

/** TLS with client authentication: a caller is who its certificate says, and on record as that. */
final class TlsIT {

  private static final String PASSWORD = "changeit";

  @TempDir Path home;
  @TempDir Path files;

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
  void onlyCallersWithACertificateAreServed(String address) throws Exception {
    OpenSsl openssl = new OpenSsl(files);
    makeAuthority(openssl, "ca", "/CN=Bank TLS CA");
    makeAuthority(openssl, "foreign", "/CN=Bank TLS CA");
    certify(openssl, "server", "ca", "/CN=keywell", "subjectAltName=IP:127.0.0.1");
    certify(openssl, "client", "ca", "/O=Bank/CN=front-end 1", "extendedKeyUsage=clientAuth");
    certify(
        openssl, "intruder", "foreign", "/O=Bank/CN=front-end 1", "extendedKeyUsage=clientAuth");
    name(openssl, Map.of("front-end-1", "CN=front-end 1,O=Bank"));

    try (Site site = Site.create(home)) {
      site.stock(KeySpec.EC_P256, 2);
      try (RunningKeywell keywell =
          RunningKeywell.start(
              site.settings(
                  Settings.pool(KeySpec.EC_P256, 2), tls(), Map.of("server.address", address)))) {
        URI base = URI.create("https://127.0.0.1:" + keywell.port());
        SignBody body = SignBody.of("document").keySpec(KeySpec.EC_P256);
        assertThatThrownBy(() -> http(base, null).sign(body)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> http(base, "intruder").sign(body)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> keywell.http().get("/pool"))
            .as("without TLS")
            .satisfies(failure -> assertThat(failure).isNotNull());
        assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isZero();

        UUID id = UUID.randomUUID();
        HttpApi client = http(base, "client");
        assertThat(client.sign(body.requestId(id)).status()).isEqualTo(200);
        assertThat(client.result(id).status()).isEqualTo(200);
        assertThat(
                site.sql().text("SELECT caller FROM sign_request WHERE request_id = '" + id + "'"))
            .isEqualTo("front-end-1");
      }
    }
  }

  /** Another caller can neither take over a request's id nor learn what it signed. */
  @Test
  void aRequestIdBelongsToItsCaller() throws Exception {
    OpenSsl openssl = new OpenSsl(files);
    makeAuthority(openssl, "ca", "/CN=Bank TLS CA");
    certify(openssl, "server", "ca", "/CN=keywell", "subjectAltName=IP:127.0.0.1");
    certify(openssl, "client", "ca", "/CN=front-end 1", "extendedKeyUsage=clientAuth");
    certify(openssl, "other", "ca", "/CN=front-end 2", "extendedKeyUsage=clientAuth");
    name(openssl, Map.of("front-end-1", "CN=front-end 1", "front-end-2", "CN=front-end 2"));
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.EC_P256, 2);
      try (RunningKeywell keywell =
          RunningKeywell.start(site.settings(Settings.pool(KeySpec.EC_P256, 2), tls()))) {
        URI base = URI.create("https://127.0.0.1:" + keywell.port());
        UUID id = UUID.randomUUID();
        SignBody body = SignBody.of("document").keySpec(KeySpec.EC_P256).requestId(id);
        HttpApi client = http(base, "client");
        HttpApi other = http(base, "other");
        HttpApi.Answer first = client.sign(body);
        assertThat(first.status()).isEqualTo(200);

        for (HttpApi.Answer refused : List.of(other.result(id), other.sign(body))) {
          assertThat(refused.status()).isEqualTo(404);
          assertThat(refused.problem()).isEqualTo("request-unknown");
        }
        UUID nobodys = UUID.randomUUID();
        assertThat(other.result(id).body().toString())
            .as("the answer for an id that no request has")
            .isEqualTo(
                other.result(nobodys).body().toString().replace(nobodys.toString(), id.toString()));
        assertThat(client.result(id).body()).isEqualTo(first.body());
        assertThat(client.sign(body).body()).isEqualTo(first.body());
      }
    }
  }

  /** A variable that a deployment left unset, and a file that was never written. */
  @ParameterizedTest
  @ValueSource(strings = {"", "empty.pem"})
  void aTrustStoreWithoutACertificateStopsTheStart(String trusted) throws Exception {
    OpenSsl openssl = new OpenSsl(files);
    makeAuthority(openssl, "ca", "/CN=Bank TLS CA");
    certify(openssl, "server", "ca", "/CN=keywell", "subjectAltName=IP:127.0.0.1");
    openssl.write("empty.pem", "");
    name(openssl, Map.of("front-end-1", "CN=front-end 1"));
    String setting = "spring.ssl.bundle.pem.service.truststore.certificate";
    String location = trusted.isEmpty() ? "" : files.resolve(trusted).toUri().toString();
    try (Site site = Site.create(home)) {
      assertThatThrownBy(() ->
              RunningKeywell.start(
                      site.settings(tls(), Map.of("server.address", "0.0.0.0", setting, location)))
                  .close())
          .hasStackTraceContaining(setting);
    }
  }

  /** Every certificate that the port trusts would be somebody's. */
  @ParameterizedTest
  @ValueSource(strings = {"server", "management.server"})
  void aPortThatAsksForCertificatesNeedsACallersFile(String port) throws Exception {
    OpenSsl openssl = new OpenSsl(files);
    makeAuthority(openssl, "ca", "/CN=Bank TLS CA");
    certify(openssl, "server", "ca", "/CN=keywell", "subjectAltName=IP:127.0.0.1");
    Map<String, String> settings = new HashMap<>(tls());
    settings.remove("server.ssl.bundle");
    settings.remove("server.ssl.client-auth");
    settings.put(port + ".ssl.bundle", "service");
    settings.put(port + ".ssl.client-auth", "need");
    settings.remove("keywell.security.callers-file");
    try (Site site = Site.create(home)) {
      assertThatThrownBy(() -> RunningKeywell.start(site.settings(settings)).close())
          .hasStackTraceContaining(port + ".ssl.client-auth")
          .hasStackTraceContaining("keywell.security.callers-file");
    }
  }

  private Map<String, String> tls() {
    String bundle = "spring.ssl.bundle.pem.service.";
    return Map.of(
        bundle + "keystore.certificate",
        files.resolve("server.pem").toUri().toString(),
        bundle + "keystore.private-key",
        files.resolve("server.key").toUri().toString(),
        bundle + "truststore.certificate",
        files.resolve("ca.pem").toUri().toString(),
        "server.ssl.bundle",
        "service",
        "server.ssl.client-auth",
        "need",
        "keywell.security.callers-file",
        files.resolve("callers.yaml").toString());
  }

  /** Callers by subject, each of which signs and vouches for signers. */
  private static void name(OpenSsl openssl, Map<String, String> callers) throws IOException {
    StringBuilder yaml = new StringBuilder("callers:\n");
    callers.forEach((name, subject) ->
        yaml.append("  - {name: ")
            .append(name)
            .append(", certificate: {subject: \"")
            .append(subject)
            .append("\"}, roles: [sign], identity: trusted-caller}\n"));
    openssl.write("callers.yaml", yaml.toString());
  }

  private static void makeAuthority(OpenSsl openssl, String name, String subject)
      throws IOException, InterruptedException {
    openssl.run(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-keyout",
        name + ".key",
        "-out",
        name + ".pem",
        "-days",
        "2",
        "-subj",
        subject);
  }

  private static void certify(
      OpenSsl openssl, String name, String authority, String subject, String extension)
      throws IOException, InterruptedException {
    openssl.run(
        "req",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-keyout",
        name + ".key",
        "-out",
        name + ".csr",
        "-subj",
        subject);
    openssl.write(name + ".cnf", extension + "\n");
    openssl.run(
        "x509",
        "-req",
        "-in",
        name + ".csr",
        "-CA",
        authority + ".pem",
        "-CAkey",
        authority + ".key",
        "-CAcreateserial",
        "-days",
        "1",
        "-extfile",
        name + ".cnf",
        "-out",
        name + ".pem");
    openssl.run(
        "pkcs12",
        "-export",
        "-in",
        name + ".pem",
        "-inkey",
        name + ".key",
        "-out",
        name + ".p12",
        "-passout",
        "pass:" + PASSWORD);
  }

  /**
   * @param identity the client's certificate, or null for none
   */
  private HttpApi http(URI base, @Nullable String identity)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream pem = Files.newInputStream(files.resolve("ca.pem"))) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    if (identity != null) {
      try (InputStream p12 = Files.newInputStream(files.resolve(identity + ".p12"))) {
        own.load(p12, PASSWORD.toCharArray());
      }
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return new HttpApi(HttpClient.newBuilder().sslContext(context).build(), base);
  }
}
