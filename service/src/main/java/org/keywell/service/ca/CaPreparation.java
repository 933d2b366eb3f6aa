package org.keywell.service.ca;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.keywell.ca.token.BootstrapReport;
import org.keywell.ca.token.CaBootstrap;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.TokenAddress;
import org.keywell.service.hsm.HsmCredentials;
import org.keywell.service.settings.CaProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the CA's keys and certificates in the token, if they are not there. */
public final class CaPreparation {

  private static final Logger log = LoggerFactory.getLogger(CaPreparation.class);

  private final CaProperties properties;
  private final TokenAddress token;
  private final HsmCredentials credentials;
  private final Path home;
  private final InstantSource clock;

  /**
   * @param home the data directory; the root's certificate is written below it as a trust anchor
   */
  public CaPreparation(
      CaProperties properties,
      TokenAddress token,
      HsmCredentials credentials,
      Path home,
      InstantSource clock) {
    this.properties = properties;
    this.token = token;
    this.credentials = credentials;
    this.home = home;
    this.clock = clock;
  }

  /** Leaves alone what exists; running it again changes nothing. Says what it made or found. */
  public List<String> ensure() {
    BootstrapReport report = bootstrap(CaBootstrap::ensure);
    publishRoot(report.chain());
    String issuing =
        (report.issuingCreated() ? "created: " : "exists:  ")
            + "issuing CA '%s' (%s)"
                .formatted(
                    properties.issuing().label(),
                    report.chain().getFirst().getSubjectX500Principal());
    String root =
        (report.rootCreated() ? "created: " : "exists:  ")
            + "root (%s)".formatted(report.chain().getLast().getSubjectX500Principal());
    log.info("bootstrap {}", root);
    log.info("bootstrap {}", issuing);
    return List.of(root, issuing);
  }

  /** A PKCS#10 request, in PEM, for a root elsewhere. */
  public String request() {
    return bootstrap(CaBootstrap::issuingRequest);
  }

  /** Takes the answer to {@link #request}, in PEM. Returns the chain. */
  public List<X509Certificate> importAnswer(String pem) {
    List<X509Certificate> chain = bootstrap(ca -> ca.importChain(pem));
    publishRoot(chain);
    return chain;
  }

  private <T> T bootstrap(Function<CaBootstrap, T> work) {
    return credentials.withUserPin(pin ->
        work.apply(CaBootstrap.open(token, pin, properties.settings(), clock, new SecureRandom())));
  }

  private void publishRoot(List<X509Certificate> chain) {
    try {
      Path directory = Files.createDirectories(home.resolve("ca"));
      Files.writeString(
          directory.resolve("root.pem"), PemCertificates.write(List.of(chain.getLast())));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the root's certificate below " + home, e);
    }
  }
}
