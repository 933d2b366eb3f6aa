package org.keywell.identity.provider;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import org.keywell.identity.ProofType;
import org.keywell.identity.ProofVerifier;
import org.keywell.identity.ProofVerifiers;
import org.keywell.identity.ProviderDocuments;
import org.keywell.identity.jwt.JwtProofs;
import org.keywell.identity.saml.SamlProviders;
import org.keywell.settings.IdentityProperties;
import org.keywell.settings.KeywellProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Proof of who signs, through the identity providers that the operator trusts. */
@Configuration(proxyBeanMethods = false)
public class IdentityConfiguration {

  /** Limit of a fetch of keys or metadata; requests that need them wait at most as long. */
  private static final Duration FETCH_LIMIT = Duration.ofSeconds(3);

  @Bean
  IdentityProviders identityProviders(KeywellProperties properties) {
    return IdentityProviders.read(properties.identity().providersFile());
  }

  @Bean(destroyMethod = "close")
  ProviderDocuments providerDocuments() {
    return new ProviderDocuments(FETCH_LIMIT);
  }

  @Bean(destroyMethod = "close")
  JwtProofs jwtProofs(
      IdentityProviders providers, ProviderDocuments documents, InstantSource clock) {
    return new JwtProofs(providers.jwt(), documents, clock);
  }

  @Bean
  ProofVerifiers proofVerifiers(
      IdentityProviders providers,
      JwtProofs jwt,
      ProviderDocuments documents,
      KeywellProperties properties,
      InstantSource clock) {
    Map<ProofType, ProofVerifier> verifiers = new EnumMap<>(ProofType.class);
    if (!providers.jwt().isEmpty()) {
      verifiers.put(ProofType.JWT, jwt);
    }
    if (!providers.saml().isEmpty()) {
      verifiers.put(
          ProofType.SAML,
          new SamlProviders(documents, Thread.ofVirtual().name("keywell-saml-metadata")::start)
              .proofs(providers.saml(), clock.instant()));
    }
    IdentityProperties limits = properties.identity();
    return new ProofVerifiers(verifiers, limits.maxTicket().toBytes(), limits.maxChecks());
  }
}
