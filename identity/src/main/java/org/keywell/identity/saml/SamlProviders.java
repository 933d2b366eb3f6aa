package org.keywell.identity.saml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.keywell.identity.AttributeMapping;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.keywell.settings.StartRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates verifiers of SAML tickets from the providers file. */
public final class SamlProviders {

  private static final Logger log = LoggerFactory.getLogger(SamlProviders.class);

  private final ProviderDocuments fetched;
  private final Executor background;
  private final SamlDocuments documents;

  /** Providers that share both use one copy of the metadata. */
  private record Origin(ProviderAddress metadata, Path certificate) {

    static Origin of(SamlProviderSettings provider) {
      return new Origin(provider.metadata(), provider.metadataCertificate());
    }
  }

  /**
   * @param background runs refetches of metadata; a task may take as long as a fetch
   */
  public SamlProviders(ProviderDocuments fetched, Executor background) {
    this.fetched = fetched;
    this.background = background;
    this.documents = new SamlDocuments(SamlSchema.load());
  }

  /**
   * Returns a verifier that is ready to use. Metadata from the network may be missing for now.
   *
   * @throws StartRefusedException if a certificate or metadata file cannot be used
   */
  public SamlProofs proofs(List<SamlProviderSettings> providers, Instant now) {
    Map<String, SamlProofs.Issuer> issuers = new HashMap<>();
    providers.stream()
        .collect(Collectors.groupingBy(Origin::of))
        .forEach((origin, group) -> {
          MetadataSource metadata = source(origin, names(group), now);
          for (SamlProviderSettings provider : group) {
            issuers.put(
                provider.issuer(),
                new SamlProofs.Issuer(
                    provider.issuer(),
                    metadata,
                    new AssertionRules(provider),
                    new AttributeMapping(provider.attributes())));
          }
        });
    return new SamlProofs(documents, issuers);
  }

  private static Set<String> names(List<SamlProviderSettings> providers) {
    return providers.stream().map(SamlProviderSettings::issuer).collect(Collectors.toSet());
  }

  private MetadataSource source(Origin origin, Set<String> issuers, Instant now) {
    MetadataReader reader = new MetadataReader(documents, key(origin.certificate()), issuers);
    MetadataSource source = new MetadataSource(origin.metadata(), fetched, reader, background);
    try {
      source.fetch(now);
      for (String issuer : source.unknown(issuers)) {
        log.warn("{} has no key of {}: its assertions are refused", origin.metadata(), issuer);
      }
    } catch (IOException e) {
      if (origin.metadata().isFile()) {
        throw new StartRefusedException(String.valueOf(e.getMessage()), e);
      }
      log.warn("{}; it is tried again when an assertion comes", e.getMessage());
    }
    return source;
  }

  private static PublicKey key(Path certificate) {
    try (InputStream in = Files.newInputStream(certificate)) {
      PublicKey key =
          CertificateFactory.getInstance("X.509").generateCertificate(in).getPublicKey();
      if (!AcceptedAlgorithms.key(key)) {
        throw new StartRefusedException(
            certificate + " has a key that is neither RSA of 2048 bits or more nor EC of 256");
      }
      return key;
    } catch (IOException | CertificateException e) {
      throw new StartRefusedException(certificate + " cannot be read as a certificate: " + e, e);
    }
  }
}
