package org.keywell.identity.saml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.AttributeRule;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.keywell.testkit.saml.TestIdentityProvider;
import org.springframework.util.FileSystemUtils;

/** The {@link TestIdentityProvider} as a service trusts it. */
final class TrustedProvider {

  private TrustedProvider() {}

  /** As an operator has configured it. */
  static SamlProviderSettings settings(ProviderAddress metadata, Path federationCertificate) {
    return new SamlProviderSettings(
        TestIdentityProvider.ENTITY_ID,
        metadata,
        federationCertificate,
        List.of(TestIdentityProvider.AUDIENCE),
        List.of(TestIdentityProvider.RECIPIENT),
        List.of(TestIdentityProvider.LOA3),
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        List.of(
            new AttributeRule(
                SubjectAttribute.SERIAL_NUMBER,
                TestIdentityProvider.PERSONAL_NUMBER,
                "PNOSE",
                null,
                false),
            new AttributeRule(
                SubjectAttribute.COMMON_NAME, TestIdentityProvider.DISPLAY_NAME, null, null, false),
            new AttributeRule(SubjectAttribute.COUNTRY, null, null, "SE", false)));
  }

  /** Checks tickets of this provider, whose metadata has these keys. */
  static SamlProofs proofs(KeyPair... keys) {
    try {
      Path directory = Files.createTempDirectory("saml");
      Path metadata = directory.resolve("metadata.xml");
      try {
        Files.writeString(
            metadata, TestIdentityProvider.signedMetadata(TestIdentityProvider.metadata(keys)));
        return new SamlProviders(new ProviderDocuments(Duration.ofSeconds(3)), Runnable::run)
            .proofs(
                List.of(
                    settings(
                        ProviderAddress.of(metadata.toString()),
                        TestIdentityProvider.federationCertificate(directory))),
                TestIdentityProvider.NOW);
      } finally {
        // Read at the start; when it is due again, the one before is kept.
        FileSystemUtils.deleteRecursively(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ProofContext context() {
    return new ProofContext(
        TestIdentityProvider.NOW,
        UUID.fromString("4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e"),
        "SHA-256",
        List.of(new byte[32]),
        TestIdentityProvider.REQUEST);
  }
}
