package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.list;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import eu.europa.esig.dss.enumerations.Indication;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.standin.PublishingCa;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;

/** Revoked certificates, and lists that are missing, late, foreign or broken. */
@Timeout(60)
class RevocationTest {
  private static final int MOST_BYTES = 20_000;

  private PublishingCa ca;
  private StandInService service;
  private KeywellClient client;
  private ValidationSources sources;
  private KeywellDocumentSigner signer;
  private DocumentExtender extender;
  private final CountDownLatch ended = new CountDownLatch(1);

  @BeforeEach
  void start() throws Exception {
    ca = new PublishingCa();
    service = new StandInService(ca);
    ca.unit(Duration.ofDays(365)).serve(service);
    client = new KeywellClient(service.uri());
    sources = new ValidationSources(List.of(ca.root()), Duration.ofSeconds(1), MOST_BYTES, 20);
    signer = KeywellDocumentSigner.withTimestampsOfTheService(client);
    extender = DocumentExtender.withTimestampsOf(client, sources);
  }

  @AfterEach
  void stop() {
    ended.countDown();
    client.close();
    service.close();
    ca.close();
  }

  private static DocumentSignRequest request(DocumentFormat format) {
    return Key.EC.request().document(Samples.of(format), format).build();
  }

  private Document atLevelT() throws Exception {
    return signer.sign(request(DocumentFormat.XADES_ENVELOPED)).document();
  }

  @ParameterizedTest
  @EnumSource(names = {"PADES", "XADES_ENVELOPED"})
  void revokedBeforeTheSignature(DocumentFormat format) {
    ca.revokeAll(Instant.now().minusSeconds(30));

    ExtensionMissingException refused =
        catchThrowableOfType(
            ExtensionMissingException.class,
            () -> signer.extendingTo(BaselineLevel.LT, sources).sign(request(format)));

    assertThat(refused)
        .hasMessageContaining("revoked: ")
        .hasMessageContaining("CN=Astrid Lindgren");
    assertThat(refused.getCause()).isExactlyInstanceOf(DocumentExtensionException.class);
    assertThat(refused.atLevelT().documents()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"PADES", "XADES_ENVELOPED"})
  void revokedAfterTheTimeStamp(DocumentFormat format) throws Exception {
    Document signed = signer.sign(request(format)).document();
    ca.revoke(ca.issued().get(0), Instant.now().plusSeconds(30));

    Document extended = extender.extend(signed, BaselineLevel.LTA);

    Validator.Opinion opinion = new Validator(ca.root()).now(extended, List.of());
    assertThat(opinion.indication()).as(opinion.toString()).isEqualTo(Indication.TOTAL_PASSED);
    assertThat(opinion.level()).endsWith("-BASELINE-LTA");
  }

  /** How a server may fail, and what is said of it. */
  enum Fault implements HttpHandler {
    UNAVAILABLE("status 503") {
      @Override
      public void handle(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(503, -1);
        exchange.close();
      }
    },
    GONE("header parser received no bytes") {
      @Override
      public void handle(HttpExchange exchange) {
        exchange.close();
      }
    },
    ANOTHER_PAGE("Not possible to convert to DER") {
      @Override
      public void handle(HttpExchange exchange) throws IOException {
        send(exchange, "<html>Welcome</html>".getBytes(StandardCharsets.US_ASCII));
      }
    },
    EMPTY("empty") {
      @Override
      public void handle(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
      }
    },
    OVERSIZED("longer than 20000 bytes") {
      @Override
      public void handle(HttpExchange exchange) throws IOException {
        send(exchange, new byte[1 << 20]);
      }
    },
    ELSEWHERE("redirects (status 302)") {
      @Override
      public void handle(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Location", "/crl/elsewhere.crl");
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
      }
    };

    private final String words;

    Fault(String words) {
      this.words = words;
    }

    private static void send(HttpExchange exchange, byte[] body) throws IOException {
      try (exchange) {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(body);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenServerIsNamed(Fault fault) throws Exception {
    ca.answerForSigners(fault);

    assertSignersListMissing(atLevelT(), fault.words);
    assertThat(ca.requests()).doesNotContain("/crl/elsewhere.crl");
  }

  @Test
  void aSlowServerIsLeft() throws Exception {
    ca.answerForSigners(exchange -> {
      exchange.sendResponseHeaders(200, 1000);
      exchange.getResponseBody().write(1);
      exchange.getResponseBody().flush();
      try {
        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });

    assertSignersListMissing(atLevelT(), "no complete answer within 1000 ms");
  }

  /** DSS would take the time stamp unit's list for the signer's, as they have the same issuer. */
  @ParameterizedTest
  @EnumSource(names = {"PADES", "XADES_ENVELOPED"})
  void anotherDaysListIsNotTakenForTheMissingOne(DocumentFormat format) {
    ca.answerForSigners(Fault.UNAVAILABLE);

    ExtensionMissingException refused =
        catchThrowableOfType(
            ExtensionMissingException.class,
            () -> signer.extendingTo(BaselineLevel.LT, sources).sign(request(format)));

    assertThat(refused.getCause())
        .asInstanceOf(type(RevocationMissingException.class))
        .extracting(RevocationMissingException::missing, list(MissingRevocation.class))
        .singleElement()
        .satisfies(missing -> {
          assertThat(missing.certificate()).contains("CN=Astrid Lindgren");
          assertThat(missing.addresses())
              .singleElement()
              .asString()
              .endsWith(ca.listOf(ca.issued().get(0)));
        });
    assertThat(
            DocumentVerification.trusting(List.of(ca.root()))
                .verify(refused.atLevelT().document())
                .signatures())
        .singleElement()
        .satisfies(signature -> assertThat(signature.level()).endsWith("-BASELINE-T"));
  }

  @Test
  void aRevokedSignerIsFoundAlthoughAnotherListIsNewer() throws Exception {
    Document signed = atLevelT();
    ca.revoke(ca.issued().get(0), Instant.now().minusSeconds(40));

    assertThatThrownBy(() -> extender.extend(signed, BaselineLevel.LT))
        .isExactlyInstanceOf(DocumentExtensionException.class)
        .hasMessageContaining("revoked: ");
  }

  @Test
  void aListFromBeforeTheCertificateSaysNothing() throws Exception {
    Document signed = atLevelT();
    ca.makeListsBefore(Duration.ofHours(1), Duration.ofDays(1));

    assertSignersListMissing(signed, "is older than the certificate");
  }

  /** A one-time key signs once, right after its certificate was issued. */
  @ParameterizedTest
  @EnumSource(names = {"PADES", "XADES_ENVELOPED"})
  void aListFromBeforeTheSignatureCounts(DocumentFormat format) throws Exception {
    ca.makeListsBefore(Duration.ofSeconds(30), Duration.ofDays(1));
    Document signed =
        signer.extendingTo(BaselineLevel.LT, sources).sign(request(format)).document();

    for (Validator.Opinion opinion :
        List.of(
            new Validator(ca.root()).now(signed, List.of()),
            new Validator(ca.root()).inAMonth(signed, List.of()))) {
      assertThat(opinion.indication()).as(opinion.toString()).isEqualTo(Indication.TOTAL_PASSED);
    }
  }

  @Test
  void anExpiredListSaysNothing() throws Exception {
    Document signed = atLevelT();
    ca.makeListsBefore(Duration.ofSeconds(50), Duration.ofSeconds(20));

    assertThatThrownBy(() -> extender.extend(signed, BaselineLevel.LT))
        .isInstanceOf(RevocationMissingException.class)
        .hasMessageContaining("it expired at ");
  }

  @Test
  void allThatIsMissingIsNamed() throws Exception {
    Document signed = atLevelT();
    ca.goAway();

    RevocationMissingException refused =
        catchThrowableOfType(
            RevocationMissingException.class, () -> extender.extend(signed, BaselineLevel.LTA));

    assertThat(refused.missing())
        .extracting(MissingRevocation::certificate)
        .anyMatch(name -> name.contains("CN=Astrid Lindgren"))
        .anyMatch(name -> name.contains("CN=Published Issuing"))
        .anyMatch(name -> name.contains("CN=Published Time Stamps"));
    assertThat(refused.missing())
        .allSatisfy(missing -> {
          assertThat(missing.reason()).contains("no connection to the server");
          assertThat(missing.addresses()).hasSize(1);
        });
  }

  @Test
  void whatADocumentHasIsNotFetchedForIt() throws Exception {
    Document lt = extender.extend(atLevelT(), BaselineLevel.LT);
    ca.goAway();

    Document lta = extender.extend(lt, BaselineLevel.LTA);

    assertThat(new Validator(ca.root()).now(lta, List.of()).indication())
        .isEqualTo(Indication.TOTAL_PASSED);
  }

  @Test
  void requestsAreLimited() throws Exception {
    DocumentExtender limited =
        DocumentExtender.withTimestampsOf(
            client,
            new ValidationSources(List.of(ca.root()), Duration.ofSeconds(1), MOST_BYTES, 1));
    Document signed = atLevelT();

    assertThatThrownBy(() -> limited.extend(signed, BaselineLevel.LT))
        .isInstanceOf(RevocationMissingException.class)
        .hasMessageContaining("more than 1 requests for one document");
  }

  @Test
  void nothingIsFetchedForCertificatesOfAnotherCa() throws Exception {
    try (PublishingCa other = new PublishingCa();
        StandInService theirs = new StandInService(other);
        KeywellClient their = new KeywellClient(theirs.uri())) {
      other.unit(Duration.ofDays(365)).serve(theirs);
      Document signed =
          KeywellDocumentSigner.withTimestampsOfTheService(their)
              .sign(request(DocumentFormat.XADES_ENVELOPED))
              .document();

      assertThatThrownBy(() -> extender.extend(signed, BaselineLevel.LTA))
          .isInstanceOf(DocumentExtensionException.class)
          .hasMessageContaining("NO_CERTIFICATE_CHAIN_FOUND");
      assertThat(other.requests()).isEmpty();
    }
  }

  /** The signature is trusted, but not who made the time stamp. */
  @Test
  void nothingIsFetchedForATimeStampOfAnotherCa() throws Exception {
    try (PublishingCa other = new PublishingCa()) {
      KeywellDocumentSigner mixed =
          new KeywellDocumentSigner(
              client, new TimestampAuthority(other.unit(Duration.ofDays(365)).uri()));
      Document signed = mixed.sign(request(DocumentFormat.XADES_ENVELOPED)).document();

      assertThatThrownBy(() -> extender.extend(signed, BaselineLevel.LTA))
          .isInstanceOf(DocumentExtensionException.class);
      assertThat(other.requests()).isEmpty();
    }
  }

  private void assertSignersListMissing(Document signed, String reason) {
    assertThatThrownBy(() -> extender.extend(signed, BaselineLevel.LT))
        .isInstanceOf(RevocationMissingException.class)
        .hasMessageContaining(reason)
        .hasMessageContaining("CN=Astrid Lindgren")
        .hasMessageContaining(ca.listOf(ca.issued().get(0)));
  }
}
