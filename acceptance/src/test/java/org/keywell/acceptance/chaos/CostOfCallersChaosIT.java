package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.ECKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.TlsAuthority;
import org.keywell.testkit.jwt.Issuer;
import org.keywell.testkit.jwt.JwksServer;
import org.keywell.testkit.saml.SamlAttempts;

/**
 * What it costs to know who calls and who signs: the same requests on loopback, over TLS with a
 * client certificate, and there with a ticket, in turn, as a ratio. One round by default, where no
 * figure decides; {@code -Dkeywell.chaos.cost.rounds=6} and {@code
 * -Dkeywell.chaos.cost.requests=1500} give figures on a quiet machine.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(900)
final class CostOfCallersChaosIT {

  private static final int ROUNDS = Integer.getInteger("keywell.chaos.cost.rounds", 1);
  private static final int REQUESTS = Integer.getInteger("keywell.chaos.cost.requests", 100);
  private static final int CALLERS = 8;
  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final ECKey KEY = Issuer.ec("ec-1");

  /** A way to ask. */
  private enum Way {
    LOOPBACK,
    TLS,
    JWT,
    SAML;

    private boolean tls() {
      return this != LOOPBACK;
    }
  }

  @TempDir Path home;
  @TempDir Path files;
  private TlsAuthority authority;

  @Test
  void loopbackTlsAndTicketsInTurn() throws Exception {
    try (Site near = Site.create(Files.createDirectory(home.resolve("near")));
        Site far = Site.create(Files.createDirectory(home.resolve("far")))) {
      near.stock(SPEC, (ROUNDS + 1) * REQUESTS + 300);
      far.stock(SPEC, 3 * (ROUNDS + 1) * REQUESTS + 300);
      try (KeywellProcess plain = start(near, Map.of());
          KeywellProcess secure = start(far, tls())) {
        HttpApi loopback = plain.awaitReady();
        URI secured = secure.awaitReady().base();
        try (HttpClient client =
            HttpClient.newBuilder().sslContext(authority.context("portal")).build()) {
          HttpApi overTls =
              new HttpApi(client, URI.create("https://127.0.0.1:" + secured.getPort()));
          for (Way way : Way.values()) {
            perSecond(way.tls() ? overTls : loopback, way);
          }
          for (int round = 1; round <= ROUNDS; round++) {
            double base = perSecond(loopback, Way.LOOPBACK);
            System.out.printf(
                "chaos: callers: round %d: loopback %.0f/s; TLS %.2f, with JWT %.2f, with SAML"
                    + " %.2f of it%n",
                round,
                base,
                perSecond(overTls, Way.TLS) / base,
                perSecond(overTls, Way.JWT) / base,
                perSecond(overTls, Way.SAML) / base);
          }
        }
      }
    }
  }

  /** The requests are made before: tickets are their provider's work. */
  private static double perSecond(HttpApi http, Way way) throws Exception {
    ConcurrentLinkedQueue<String> bodies = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < REQUESTS; i++) {
      bodies.add(body(way).json());
    }
    List<Callable<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(() -> {
        int signed = 0;
        for (String body = bodies.poll(); body != null; body = bodies.poll()) {
          HttpApi.Answer answer = http.sign(body);
          assertThat(answer.status()).as("%s: %s", way, answer.body()).isEqualTo(200);
          signed++;
        }
        return signed;
      });
    }
    long began = System.nanoTime();
    int signed = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS)) {
      for (Future<Integer> caller : threads.invokeAll(callers, 240, TimeUnit.SECONDS)) {
        signed += caller.get();
      }
    }
    assertThat(signed).isEqualTo(REQUESTS);
    return signed * 1e9 / (System.nanoTime() - began);
  }

  private static SignBody body(Way way) {
    SignBody body = SignBody.of("a document").keySpec(SPEC);
    return switch (way) {
      case LOOPBACK, TLS -> body;
      case JWT ->
          body.with(
              "identityProof",
              Map.of(
                  "type",
                  "jwt",
                  "value",
                  Issuer.ticket(KEY, Issuer.claims(Instant.now()).build())));
      case SAML ->
          body.with(
              "identityProof",
              Map.of(
                  "type",
                  "saml",
                  "value",
                  new SamlAttempts(Instant.now()).genuine("_" + UUID.randomUUID()),
                  "inResponseTo",
                  SamlAttempts.IN_RESPONSE_TO));
    };
  }

  @BeforeEach
  void prepare() throws IOException, InterruptedException {
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("portal", "extendedKeyUsage=clientAuth");
    Files.writeString(
        files.resolve("callers.yaml"),
        """
        callers:
          - name: portal
            certificate: {subject: CN=portal}
            roles: [sign]
            identity: trusted-caller
            queue-share-percent: 100
        """);
    Files.writeString(files.resolve("jwks.json"), JwksServer.documentOf(KEY));
    Path metadata =
        Files.writeString(
            files.resolve("metadata.xml"), new SamlAttempts(Instant.now()).metadata());
    Path federation =
        Files.writeString(files.resolve("federation.pem"), SamlAttempts.metadataCertificate());
    Files.writeString(
        files.resolve("providers.yaml"),
        SamlAttempts.providersFile(metadata.toString(), federation.toString())
            + """
              jwt:
                - issuer: %s
                  jwks: %s
                  audiences: [%s]
                  levels-of-assurance: ["%s"]
                  attributes:
                    - {subject: commonName, source: name}
                    - {subject: serialNumber, source: pnr, semantics: PNOSE}
                    - {subject: country, value: SE}
            """
                .formatted(
                    Issuer.ISSUER, files.resolve("jwks.json"), Issuer.AUDIENCE, Issuer.LOA3));
  }

  private KeywellProcess start(Site site, Map<String, String> more) throws Exception {
    Map<String, String> settings = new HashMap<>(Settings.pool(SPEC, 500));
    settings.put("keywell.sign.handler-threads", "2");
    settings.put("server.port", "0");
    settings.putAll(more);
    return KeywellProcess.start(
        site.settings(settings), site.home().resolve("keywell.log"), "serve");
  }

  private Map<String, String> tls() {
    Map<String, String> settings = authority.serverSettings();
    settings.put("keywell.identity.providers-file", files.resolve("providers.yaml").toString());
    return settings;
  }
}
