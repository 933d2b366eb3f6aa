package org.keywell.identity.saml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.identity.saml.TrustedProvider.settings;
import static org.keywell.testkit.saml.TestIdentityProvider.EC;
import static org.keywell.testkit.saml.TestIdentityProvider.ENTITY_ID;
import static org.keywell.testkit.saml.TestIdentityProvider.NOW;
import static org.keywell.testkit.saml.TestIdentityProvider.RSA;
import static org.keywell.testkit.saml.TestIdentityProvider.assertion;
import static org.keywell.testkit.saml.TestIdentityProvider.metadata;
import static org.keywell.testkit.saml.TestIdentityProvider.signed;
import static org.keywell.testkit.saml.TestIdentityProvider.signedMetadata;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.keywell.settings.StartRefusedException;
import org.keywell.testkit.saml.TestIdentityProvider;
import org.keywell.testkit.saml.Xml;

/** How metadata is kept: fetched ahead, replaced by what is good only, dropped when it ends. */
@Timeout(30)
final class MetadataSourceTest {

  private final AtomicInteger asked = new AtomicInteger();
  private final Queue<Runnable> background = new ArrayDeque<>();
  private final ProviderDocuments documents = new ProviderDocuments(Duration.ofSeconds(2));
  @TempDir private Path directory;
  private HttpServer server;
  private volatile String answer;
  private MetadataSource source;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metadata",
        exchange -> {
          asked.incrementAndGet();
          String now = answer;
          byte[] body = now.getBytes(UTF_8);
          exchange.sendResponseHeaders(now.isEmpty() ? 503 : 200, Math.max(1, body.length));
          exchange.getResponseBody().write(now.isEmpty() ? new byte[1] : body);
          exchange.close();
        });
    server.start();
    publish(RSA);
    source =
        new MetadataSource(
            address(),
            documents,
            new MetadataReader(
                new SamlDocuments(SamlSchema.load()),
                TestIdentityProvider.FEDERATION.getPublic(),
                Set.of(ENTITY_ID)),
            background::add);
  }

  @AfterEach
  void stop() {
    documents.close();
    server.stop(0);
  }

  @Test
  void isFetchedOnceAndThenWhenItIsDueInTheBackground() {
    assertThat(keys(NOW)).containsExactly(RSA.getPublic());
    publish(EC);
    assertThat(keys(NOW.plus(Duration.ofMinutes(29)))).containsExactly(RSA.getPublic());
    assertThat(asked).hasValue(1);

    Instant due = NOW.plus(Duration.ofMinutes(30));
    assertThat(keys(due)).containsExactly(RSA.getPublic());
    assertThat(keys(due)).containsExactly(RSA.getPublic());
    assertThat(background).hasSize(1);
    runBackground();

    assertThat(keys(due)).containsExactly(EC.getPublic());
    assertThat(asked).hasValue(2);
  }

  @Test
  void isKeptWhileItCannotBeFetchedUntilItEnds() {
    keys(NOW);
    answer = "";
    Instant due = NOW.plus(Duration.ofHours(1));
    keys(due);
    runBackground();
    keys(due.plusSeconds(9));
    assertThat(background).isEmpty();
    keys(due.plusSeconds(10));
    runBackground();
    assertThat(asked).hasValue(3);

    Instant end = Instant.parse("2026-03-08T00:00:00Z");
    assertThat(keys(end.minusSeconds(1))).containsExactly(RSA.getPublic());
    unavailable(end);
    // Who asks next is not made to wait for the same again.
    int before = asked.get();
    unavailable(end.plusSeconds(9));
    assertThat(asked).hasValue(before);

    answer = signedMetadata(metadata(EC).replace("2026-03-08T00:00:00Z", "2026-03-15T00:00:00Z"));
    assertThat(keys(end.plusSeconds(10))).containsExactly(EC.getPublic());
  }

  @Test
  void isNotReplacedByWhatIsForged() {
    keys(NOW);
    answer = metadata(EC);
    Instant due = NOW.plus(Duration.ofHours(1));
    keys(due);
    runBackground();

    assertThat(keys(due.plusSeconds(1))).containsExactly(RSA.getPublic());
  }

  @Test
  void aProviderThatIsNotInItIsUnavailable() {
    answer = signedMetadata(metadata(RSA).replace(ENTITY_ID, "https://idp2.example/saml"));

    unavailable(NOW);
    assertThat(source.unknown(Set.of(ENTITY_ID))).containsExactly(ENTITY_ID);
  }

  @Test
  void aStartDoesNotWaitForTheNetworkButForAFile() throws IOException {
    answer = "";
    Path certificate = TestIdentityProvider.federationCertificate(directory);
    SamlProviders providers = new SamlProviders(documents, background::add);
    SamlProofs proofs = providers.proofs(List.of(settings(address(), certificate)), NOW);

    String ticket = Xml.ticket(signed(assertion()));
    ProofContext later =
        new ProofContext(
            NOW.plusSeconds(10),
            TrustedProvider.context().requestId(),
            "SHA-256",
            List.of(new byte[32]),
            TestIdentityProvider.REQUEST);
    Refusals.assertRefused(proofs, ticket, later, ProofRefusal.PROVIDER_UNAVAILABLE);

    Path missing = directory.resolve("missing.xml");
    assertThatThrownBy(() ->
            providers.proofs(
                List.of(settings(ProviderAddress.of(missing.toString()), certificate)), NOW))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("missing.xml");
    assertThatThrownBy(
            () -> providers.proofs(List.of(settings(address(), directory.resolve("none"))), NOW))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("none");
    Path text = Files.writeString(directory.resolve("text.pem"), "no certificate");
    assertThatThrownBy(() -> providers.proofs(List.of(settings(address(), text)), NOW))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("text.pem");
  }

  private void publish(KeyPair... keys) {
    answer = signedMetadata(metadata(keys));
  }

  private ProviderAddress address() {
    return ProviderAddress.of("http://127.0.0.1:" + server.getAddress().getPort() + "/metadata");
  }

  private List<PublicKey> keys(Instant now) {
    return source.signingKeys(ENTITY_ID, now);
  }

  private void unavailable(Instant now) {
    Refusals.assertRefused(() -> keys(now), ProofRefusal.PROVIDER_UNAVAILABLE);
  }

  private void runBackground() {
    for (Runnable task = background.poll(); task != null; task = background.poll()) {
      task.run();
    }
  }
}
