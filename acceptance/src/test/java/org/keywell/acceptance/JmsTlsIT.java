package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.CmsMessages;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.FreePort;
import org.keywell.testkit.TlsAuthority;

/** The service's connections to a broker over TLS: to the broker that it trusts, and no other. */
@Timeout(280)
final class JmsTlsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String DOCUMENT = "a document";
  private static final String PASSWORD = "changeit";
  private static final long SOON = 30_000;

  private @TempDir Path home;
  private @TempDir Path files;
  private Site site;
  private CmsMessages stores;
  private int port;
  private int tlsPort;

  @BeforeEach
  void begin() throws Exception {
    site = Site.create(home);
    stores = new CmsMessages(files);
    port = FreePort.find();
    tlsPort = FreePort.find();
    TlsAuthority authority = TlsAuthority.create(files, "ca");
    authority.certify("broker", "subjectAltName=IP:127.0.0.1", "extendedKeyUsage=serverAuth");
    authority.certify("elsewhere", "subjectAltName=DNS:elsewhere.example");
    authority.certify("service", "extendedKeyUsage=clientAuth");
    TlsAuthority.create(Files.createDirectory(files.resolve("foreign")), "ca")
        .certify("broker", "subjectAltName=IP:127.0.0.1");
  }

  @AfterEach
  void end() {
    site.close();
  }

  private Map<String, String> settings(boolean hasCertificate) throws Exception {
    Map<String, String> settings = new HashMap<>(ArtemisBroker.settings(tlsPort, files));
    String bundle = "spring.ssl.bundle.pem.broker.";
    settings.put("keywell.jms.bundle", "broker");
    settings.put(bundle + "truststore.certificate", uri("ca.pem"));
    if (hasCertificate) {
      settings.put(bundle + "keystore.certificate", uri("service.pem"));
      settings.put(bundle + "keystore.private-key", uri("service.key"));
    }
    return site.settings(Settings.pool(SPEC, 4), settings);
  }

  private String uri(String file) {
    return files.resolve(file).toUri().toString();
  }

  /** A broker that shows this certificate, and asks clients for one of the authority's. */
  private ArtemisBroker broker(String certificate) throws Exception {
    Path keys = files.resolve(certificate + ".p12");
    if (!Files.exists(keys)) {
      stores.keyStore(certificate, keys, PASSWORD);
    }
    return ArtemisBroker.startWithTls(
        files.resolve("broker"),
        port,
        tlsPort,
        "keyStoreType=PKCS12&keyStorePath=%s&keyStorePassword=%3$s&needClientAuth=true&trustStoreType=PKCS12&trustStorePath=%s&trustStorePassword=%3$s"
            .formatted(keys, trusted(), PASSWORD));
  }

  private Path trusted() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (var in = Files.newInputStream(files.resolve("ca.pem"))) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    Path file = files.resolve("trusted.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
    return file;
  }

  private static void send(JmsClient portal, String id) throws Exception {
    portal.send(
        id,
        SignBody.of(DOCUMENT)
            .keySpec(SPEC)
            .requestId(UUID.randomUUID())
            .deadlineMillis(60_000)
            .json());
  }

  private static String health(RunningKeywell keywell) throws Exception {
    return keywell.management().get("/actuator/health").body().at("/components/jms").toString();
  }

  @Test
  void requestsOfTheBrokerThatIsTrustedAreSigned() throws Exception {
    site.stock(SPEC, 4);
    try (RunningKeywell keywell = RunningKeywell.start(settings(true))) {
      keywell.awaitLoaded(SPEC, 4);
      for (String other : new String[] {"foreign/broker", "elsewhere"}) {
        try (ArtemisBroker broker = broker(other);
            JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
          send(portal, other);
          assertThat(portal.next(5_000)).as("an answer by way of " + other).isNull();
          assertThat(broker.messages(ArtemisBroker.REQUESTS)).isPositive();
          assertThat(health(keywell)).contains("OUT_OF_SERVICE");
        }
      }
      try (ArtemisBroker _ = broker("broker");
          JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
        for (int i = 0; i < 2; i++) {
          Objects.requireNonNull(portal.next(SOON), "no answer")
              .verify("SHA256withECDSA", DOCUMENT);
        }
        assertThat(health(keywell)).contains("\"UP\"");
      }
    }
  }

  @Test
  void aServiceWithoutACertificateGetsNothing() throws Exception {
    site.stock(SPEC, 4);
    try (ArtemisBroker broker = broker("broker");
        RunningKeywell keywell = RunningKeywell.start(settings(false));
        JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
      send(portal, "kept");
      assertThat(portal.next(5_000)).isNull();
      assertThat(broker.messages(ArtemisBroker.REQUESTS)).isOne();
      assertThat(health(keywell)).contains("OUT_OF_SERVICE");
    }
  }
}
